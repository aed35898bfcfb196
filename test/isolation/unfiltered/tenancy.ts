// Replaces src/db/tenancy.ts: removes what it adds to Prisma's queries.
import * as actual from '../../../src/db/tenancy.ts';
import { stripped } from './statements.ts';

export * from '../../../src/db/tenancy.ts';

export const scopeArguments: typeof actual.scopeArguments = (model, operation, args, centerId) => {
  const scoped = actual.scopeArguments(model, operation, args, centerId);
  if (!('where' in scoped)) return scoped;
  stripped.prisma++;
  const { where: _, ...rest } = scoped;
  return args.where ? { ...rest, where: args.where } : rest;
};
