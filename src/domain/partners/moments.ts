/** Where an item stands in a list in the order of time. */
export interface MomentKey {
  occurredAt: Date;
  id: string;
}

/** Everything on one side of an item. The bound on the moment alone is what an index can use. */
export function besideMoment({ occurredAt, id }: MomentKey, side: 'lt' | 'gt') {
  return {
    occurredAt: side === 'lt' ? { lte: occurredAt } : { gte: occurredAt },
    OR: [{ occurredAt: { [side]: occurredAt } }, { occurredAt, id: { [side]: id } }],
  };
}
