import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import type { RequestContext } from '../api/request-context.ts';
import type PrismaTypes from '../db/generated/pothos-types.ts';
import { getDatamodel } from '../db/generated/pothos-types.ts';
import { type AccessRule, checkAccess } from '../domain/access.ts';
import { DomainError, faultsOfIssue, validationError } from '../lib/errors.ts';
import { decodeGlobalID, encodeGlobalID, nodeAccess, nodeOrNull } from './node-ids.ts';
import { fieldCost, queryLimits } from './query-limits.ts';
import SharedPathsPlugin from './shared-paths.ts';
import SoundArgumentsPlugin from './sound-arguments.ts';

const described = (description: string) => ({ description });

/** Descriptions of Relay's types, fields and arguments, which the plugin leaves blank. */
const relayDescriptions = {
  nodeTypeOptions: described('An object that can be read again by its id.'),
  idFieldOptions: described('The id, unique among all kinds; its prefix names the kind, such as `evt_…`.'),
  pageInfoTypeOptions: described('Where a page of a cursor list begins and ends, and whether there is more.'),
  hasNextPageFieldOptions: described('Whether there are items after this page.'),
  hasPreviousPageFieldOptions: described('Whether there are items before this page.'),
  startCursorFieldOptions: described('The cursor of the first item of the page; null if the page is empty.'),
  endCursorFieldOptions: described(
    'The cursor of the last item; pass it as `after` for the next page. Null if the page is empty.',
  ),
  cursorFieldOptions: described('An opaque text; pass it as `after` or `before` to continue from this item.'),
  nodeFieldOptions: described('The object at this cursor.'),
  edgesFieldOptions: described('The items of the page in the order of the list, each with its cursor.'),
  pageInfoFieldOptions: described('The first and last cursor of the page, and whether there is more.'),
  defaultConnectionTypeOptions: described('A page of a list with cursors.'),
  defaultEdgeTypeOptions: described('An object of a list, with the cursor that continues from it.'),
  firstArgOptions: described(
    'How many items to return from the start of the list, at most 100. Default: 20, unless `last` is given.',
  ),
  lastArgOptions: described('How many items to return from the end of the list, at most 100.'),
  beforeArgOptions: described('Only items before this cursor, taken from an earlier page.'),
  afterArgOptions: described('Only items after this cursor, taken from an earlier page.'),
};

const CALLERS_LIMIT = {
  depth: queryLimits.depth,
  complexity: queryLimits.complexity,
  breadth: queryLimits.breadth,
};
/** Without limits the complexity is not computed at all. */
const NO_LIMIT = {};

/**
 * The schema builder. It defines no types itself: each folder beside it adds the types, queries, inputs and mutations of one
 * resource. Two rules apply everywhere:
 * - every root field declares who may use it: `authScopes: { access: { … } }`
 * - Prisma-backed fields, including relations and node lookups, read through the caller's scoped client
 */
export const builder = new SchemaBuilder<{
  Context: RequestContext;
  PrismaTypes: PrismaTypes;
  AuthScopes: { access: AccessRule };
  DefaultAuthStrategy: 'all';
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string | number };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [
    ComplexityPlugin,
    ScopeAuthPlugin,
    RelayPlugin,
    SharedPathsPlugin,
    PrismaPlugin,
    SoundArgumentsPlugin,
    ValidationPlugin,
  ],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => ctx.db,
    dmmf: getDatamodel(),
    filterConnectionTotalCount: true,
    maxConnectionSize: queryLimits.pageSize,
    defaultConnectionSize: queryLimits.defaultPageSize,
    exposeDescriptions: false,
    onUnusedQuery: process.env['NODE_ENV'] === 'test' ? 'error' : null,
  },
  relay: {
    ...relayDescriptions,
    clientMutationId: 'omit',
    cursorType: 'String',
    encodeGlobalID,
    decodeGlobalID,
    nodeQueryOptions: {
      description: 'An object by its global id, if the caller may see it.',
      args: { id: { description: 'The global id; its prefix identifies the type.' } },
      authScopes: (_, { id }) => ({ access: nodeAccess((id as { id: string }).id) }),
      resolve: (_, { id }, __, ___, load) => nodeOrNull(load(id)),
    },
    nodesQueryOptions: false,
  },
  scopeAuth: {
    defaultStrategy: 'all',
    authorizeOnSubscribe: true,
    treatErrorsAsUnauthorized: false,
    authScopes: async (ctx) => ({
      // Throws the contract's own code; scope-auth could only say "not authorized".
      access: (rule) => {
        checkAccess(ctx.principal, rule);
        return true;
      },
    }),
  },
  validation: {
    validationError: ({ issues }) => validationError(issues.flatMap(faultsOfIssue)),
  },
  complexity: {
    fieldComplexity: fieldCost,
    limit: ({ ownQuery }) => (ownQuery ? NO_LIMIT : CALLERS_LIMIT),
    complexityError: (kind, result) =>
      new DomainError(
        'BAD_REQUEST',
        `The query is too large: its ${kind.toLowerCase()} exceeds ${result[`max${kind}`]}. Split it.`,
      ),
  },
});

builder.queryType({
  description: "Operations that read data of the caller's center, partner, account or installation.",
});
builder.mutationType({
  description: 'Operations that create, change or delete something, or sign a person in or out.',
});
builder.subscriptionType({ description: 'Subscriptions over server-sent events.' });
