import { sql, typed } from '../../db/sql.ts';
import { type Context, ownRows } from '../context.ts';
import type { Erased } from './content.ts';
import type { ApprovalRow } from './row.ts';

/** An erased member, and the reason. */
export interface ErasedMember {
  path: string;
  at: string;
  reason: string;
}

/** The erased members of a decision, its approvals and its outcome: each path once, in order. */
export function erasedMembers(marks: readonly (Erased | null | undefined)[]): ErasedMember[] {
  const byPath = new Map<string, ErasedMember>();
  for (const mark of marks) {
    for (const [path, { at, reason }] of Object.entries(mark ?? {})) {
      const known = byPath.get(path);
      if (!known || known.at > at) byPath.set(path, { path, at, reason });
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reasons of the service's own rejections are not personal data and are never erased. */
export const isOwnRejection = ({ content: { by, result } }: ApprovalRow) =>
  by.kind === 'system' && result === 'rejected';

const erasedIn = (table: string, id: string) =>
  `SELECT ${id} AS id, erased FROM ${table} WHERE ${id} = ANY ($eventIds) AND erased IS NOT NULL`;
const ERASED_OF_EVENTS = sql('erased_of_events', { id: 'text', erased: typed<Erased>('json') })`
  ${erasedIn('decision_event', 'id')}
  UNION ALL ${erasedIn('approval', 'event_id')}
  UNION ALL ${erasedIn('outcome', 'event_id')}`;

/** Erased members of events, by event id. */
export async function erasedOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, ErasedMember[]>> {
  const rows = await ERASED_OF_EVENTS.rows(ownRows(ctx), { eventIds });
  const byEvent = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byEvent].map(([id, marks]) => [id, erasedMembers(marks.map(({ erased }) => erased))]));
}
