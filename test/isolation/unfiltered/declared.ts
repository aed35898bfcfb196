// Replaces src/db/declared.ts: raw statements for some centers lose their filters.
import * as actual from '../../../src/db/declared.ts';
import { open } from './statements.ts';

export * from '../../../src/db/declared.ts';

export const declare: typeof actual.declare = (pool, centers) => {
  const declared = actual.declare(pool, centers);
  if (centers === 'acrossTenants') return declared;
  return {
    ...declared,
    query: (statement, values) =>
      declared.query(
        typeof statement === 'string' ? open({ text: statement }).text : open(statement),
        values,
      ),
  };
};
