import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variableNames } from '../../src/environment.ts';

test('the configuration guide lists exactly the existing variables', () => {
  const guide = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const documented = [...guide.matchAll(/^\|([^|]+)\|/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!),
  );
  expect(documented.toSorted()).toEqual(variableNames.toSorted());
});
