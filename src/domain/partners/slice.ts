/** A stretch of a list: by number for pages, between two of its items for connections. */
export interface Slice<Key> {
  take: number;
  skip?: number;
  /** Only what comes later in the list than this item. */
  after?: Key | undefined;
  /** Only what comes earlier in the list than this item. */
  before?: Key | undefined;
  /** From the back of the list to its front. */
  inverted?: boolean;
}

/** The stretch of a list in the order of its ids, as a query. */
export function byId<Id>({ take, skip, after, before, inverted }: Slice<Id>) {
  const bounds = { ...(after !== undefined && { gt: after }), ...(before !== undefined && { lt: before }) };
  return { id: bounds, page: { take, skip: skip ?? 0, orderBy: { id: inverted ? 'desc' : 'asc' } as const } };
}
