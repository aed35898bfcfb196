// The free-form members of decisions, read only where they are selected. Their size is known before they are read, so that a
// request waits for room and fails before it holds too much (lib/content-budget.ts).
import { type RowOf, sql } from '../../../db/sql.ts';
import { makePace } from '../../../lib/pace.ts';
import { metered } from '../../../lib/row-meter.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { centerIdOf } from '../../principal.ts';
import type { EventContent } from '../content.ts';
import type { DecisionEventView } from '../row.ts';

/** The content without its large members. */
export type Texts = Omit<EventContent, 'action'> & {
  action: Pick<EventContent['action'], 'type' | 'description'>;
};
/** The large members by path. */
export interface LargeMembers {
  'action.input'?: Record<string, unknown> | undefined;
  'action.output'?: Record<string, unknown> | undefined;
}

/** The texts of each decision. Erased members are missing. */
export async function textsOf(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, Texts>> {
  return read<Texts>(ctx, events, TEXTS, (content) => content);
}

/** Input and output of each decision. Erased members are missing. */
export async function largeMembersOf(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, LargeMembers>> {
  return read<LargeMembers>(ctx, events, LARGE, ({ action: { input, output } }) => ({
    'action.input': input,
    'action.output': output,
  }));
}

const chosen = 'FROM decision_event e WHERE e.id = ANY ($ids) AND e.center_id = $centerId';

interface Column {
  /** The total size of the column for these decisions. */
  sizes: ReturnType<typeof sizesOf>;
  rows: ReturnType<typeof rowsOf>;
  /** No decision has more. */
  largest: number;
}

const sizesOf = (name: string, size: string) => sql(`${name}_bytes`, { bytes: 'float8' })`
  SELECT coalesce(sum(${size}), 0)::float8 AS bytes ${chosen}`;
const rowsOf = (name: string, column: string) => sql(name, { id: 'text', value: 'text?' })`
  SELECT e.id, ${column}::text AS value ${chosen}`;

/** The size of the large members of `decision_event e`. */
export const LARGE_BYTES = 'coalesce(e.large_bytes, octet_length(e.large::text))';

const KIBIBYTE = 1_024;
const TEXTS: Column = {
  sizes: sizesOf('decision_texts', 'octet_length(e.content::text)'),
  rows: rowsOf('decision_texts', 'e.content'),
  largest: 256 * KIBIBYTE,
};
const LARGE: Column = {
  sizes: sizesOf('decision_large_members', LARGE_BYTES),
  rows: rowsOf('decision_large_members', 'e.large'),
  largest: 640 * KIBIBYTE,
};

async function read<Part>(
  ctx: Context,
  events: readonly DecisionEventView[],
  column: Column,
  partOf: (content: EventContent) => Part,
): Promise<Map<DecisionEventView, Part>> {
  const unread = events.filter(({ content }) => content === null);
  const rows = unread.length > 0 ? await readRows(ctx, [...new Set(unread.map(({ id }) => id))], column) : [];
  const parsed = new Map<string, Part>();
  const pace = makePace();
  for (const { id, value } of rows) {
    parsed.set(id, JSON.parse(value ?? '{}') as Part);
    await pace(value?.length ?? 0);
  }
  return new Map(
    events.map((event) => [event, event.content ? partOf(event.content) : (parsed.get(event.id) as Part)]),
  );
}

type Row = RowOf<Column['rows']>;

/** What one statement reads: a larger result would arrive without a pause. */
const PIECE_BYTES = 1_048_576;

async function readRows(ctx: Context, ids: string[], column: Column): Promise<Row[]> {
  const params = { ids, centerId: currentCenterId(ctx) };
  // One decision is read at once, as if it were the largest.
  const [total] = ids.length > 1 ? await column.sizes.rows(ownRows(ctx), params) : [];
  return holding(ctx, total?.bytes ?? column.largest, async () => {
    const pieces = Math.max(1, Math.ceil((total?.bytes ?? 0) / PIECE_BYTES));
    const most = Math.ceil(ids.length / pieces);
    const rows: Row[] = [];
    let bytes = 0;
    const pace = makePace();
    for (let at = 0; at < ids.length; at += most) {
      const piece = { ...params, ids: ids.slice(at, at + most) };
      const read = await column.rows.rows(ownRows(ctx), piece);
      const size = read.reduce((sum, { value }) => sum + Buffer.byteLength(value ?? ''), 0);
      rows.push(...read);
      bytes += size;
      await pace(size);
    }
    return [rows, bytes];
  });
}

/** Reads content of at most this size, and holds it until the request has been answered. `load` returns what it really read. */
export async function holding<T>(
  { app, content, principal }: Context,
  bytes: number,
  load: () => Promise<[T, bytes: number]>,
): Promise<T> {
  const hold = content ?? app.contentBudget.open(centerIdOf(principal));
  try {
    const settle = await hold.reserve(bytes);
    let read = 0;
    try {
      const [value, actual] = await metered(null, load);
      read = actual;
      return value;
    } finally {
      settle(read);
    }
  } finally {
    if (!content) hold.release();
  }
}
