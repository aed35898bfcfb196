/** Something that takes time on a day, in minutes since its midnight. */
export interface Block<Item> {
  item: Item;
  from: number;
  to: number;
}

export interface Placed<Item> extends Block<Item> {
  lane: number;
  /** How many lanes share the width. */
  lanes: number;
}

/** Blocks that found no lane, by the hour in which they start. */
export interface Overflow<Item> {
  from: number;
  lane: number;
  lanes: number;
  items: Item[];
}

/** Places overlapping blocks side by side. If they need too many lanes, the last lane counts the rest by the hour. */
export function placeBlocks<Item>(
  blocks: Block<Item>[],
  mostLanes: number,
): { placed: Placed<Item>[]; overflow: Overflow<Item>[] } {
  const placed: Placed<Item>[] = [];
  const overflow: Overflow<Item>[] = [];
  for (const cluster of clustersOf(blocks)) {
    const rows = withLanes(cluster);
    const needed = 1 + Math.max(...rows.map(({ lane }) => lane));
    const lanes = Math.min(needed, mostLanes);
    const shown = needed > mostLanes ? mostLanes - 1 : needed;
    placed.push(...rows.filter(({ lane }) => lane < shown).map((row) => ({ ...row, lanes })));
    const hidden = Map.groupBy(
      rows.filter(({ lane }) => lane >= shown),
      ({ from }) => Math.floor(from / 60),
    );
    for (const [hour, rest] of hidden)
      overflow.push({ from: hour * 60, lane: shown, lanes, items: rest.map(({ item }) => item) });
  }
  return { placed, overflow };
}

/** Blocks that overlap, directly or through others, belong together. */
function clustersOf<Item>(blocks: Block<Item>[]): Block<Item>[][] {
  const clusters: Block<Item>[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const block of blocks.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (block.from < end) clusters.at(-1)!.push(block);
    else clusters.push([block]);
    end = Math.max(end, block.to);
  }
  return clusters;
}

function withLanes<Item>(cluster: Block<Item>[]): (Block<Item> & { lane: number })[] {
  const busyUntil: number[] = [];
  return cluster.map((block) => {
    const free = busyUntil.findIndex((until) => until <= block.from);
    const lane = free === -1 ? busyUntil.length : free;
    busyUntil[lane] = block.to;
    return { ...block, lane };
  });
}

const USUAL = { from: 9 * 60, to: 17 * 60 };

/** The whole hours that cover all spans, and at least a usual working day. */
export function hoursAround(spans: { from: number; to: number }[]): { from: number; to: number } {
  const from = Math.min(USUAL.from, ...spans.map((span) => span.from));
  const to = Math.max(USUAL.to, ...spans.map((span) => span.to));
  return { from: Math.floor(from / 60) * 60, to: Math.ceil(to / 60) * 60 };
}
