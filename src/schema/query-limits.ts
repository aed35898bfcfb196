import { type GraphQLField, getNullableType, isListType, isObjectType } from 'graphql';

/** The size limits of one GraphQL request. Our own REST documents are far below all of them. */
export const queryLimits = {
  depth: 12,
  breadth: 300,
  complexity: 10_000,
  aliases: 30,
  tokens: 2_000,
  pageSize: 100,
  defaultPageSize: 20,
} as const;

/** The assumed number of items of a list without an explicit size. */
const LIST_SIZE = 5;

/** The cost of a field, and the multiplier for the fields below it: the number of items on a page. */
export function fieldCost(
  args: Record<string, unknown>,
  _context: unknown,
  field: GraphQLField<unknown, never>,
) {
  const type = getNullableType(field.type);
  if (isObjectType(type) && type.name.endsWith('Connection')) {
    const asked = args['first'] ?? args['last'];
    return { field: 1, multiplier: typeof asked === 'number' ? asked : queryLimits.defaultPageSize };
  }
  // The connection above has already counted its edges.
  if (field.name === 'edges' || !isListType(type)) return { field: 1, multiplier: 1 };
  return { field: 1, multiplier: LIST_SIZE };
}
