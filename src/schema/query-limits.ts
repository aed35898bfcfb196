/** How large one GraphQL request may be. REST documents are ours and far below all of them. */
export const queryLimits = {
  depth: 12,
  breadth: 300,
  complexity: 10_000,
  aliases: 30,
  tokens: 2_000,
  pageSize: 100,
  defaultPageSize: 20,
} as const;
