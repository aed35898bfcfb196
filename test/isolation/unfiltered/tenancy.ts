// In the place of src/db/tenancy.ts: what it puts into Prisma's queries is taken out again.
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
