// Reading the journal: all entries, or those about given decisions.

import { type RowOf, sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import type { CursorWindow } from '../../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';

export interface JournalEntryView {
  index: number;
  kind: string;
  /** The exact text that is hashed. */
  content: string;
  hash: string;
  at: Date;
}

const JOURNAL_ROW = { index: 'int', content: 'text', hash: 'text', timestamp: 'text' } as const;

const listSql = (order: 'ASC' | 'DESC') => `
  SELECT r.index, r.content, r.hash, r.timestamp
  FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id
  WHERE c.center_id = $centerId AND c.domain = 'journal' AND r.index < $after::int AND r.index > $before::int
  ORDER BY r.index ${order} LIMIT $limit::int`;
const NEWEST_FIRST = sql('list_journal', JOURNAL_ROW)`${listSql('DESC')}`;
const OLDEST_FIRST = sql('list_journal_from_end', JOURNAL_ROW)`${listSql('ASC')}`;

/** Entries of the caller's center, newest first, paged by index. */
export async function listJournal(ctx: Context, window: CursorWindow<number>): Promise<JournalEntryView[]> {
  const { after, before, limit, inverted = false } = window;
  const rows = await (inverted ? OLDEST_FIRST : NEWEST_FIRST).rows(ownRows(ctx), {
    centerId: currentCenterId(ctx),
    after: after ?? MOST,
    before: before ?? -1,
    limit,
  });
  return rows.map(toView);
}

/** Higher than any index. */
const MOST = 2_147_483_647;

const JOURNAL_OF_EVENTS = sql('journal_of_events', { eventId: 'text', ...JOURNAL_ROW })`
  SELECT p.event_id AS "eventId", r.index, r.content, r.hash, r.timestamp
  FROM (
    SELECT id AS event_id, journal_index FROM decision_event WHERE id = ANY ($eventIds::text[])
    UNION SELECT event_id, journal_index FROM approval WHERE event_id = ANY ($eventIds::text[])
    UNION SELECT subject, index FROM journal_by WHERE subject = ANY ($eventIds::text[])
  ) p
  JOIN ledger_chain c ON c.center_id = $centerId AND c.domain = 'journal'
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = p.journal_index
  ORDER BY r.index`;

/**
 * The entries about each event, oldest first, by event id. The event's own rows name the positions, so the journal is not
 * scanned.
 */
export async function journalOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, JournalEntryView[]>> {
  const rows = await JOURNAL_OF_EVENTS.rows(ownRows(ctx), { centerId: currentCenterId(ctx), eventIds });
  const byEvent = Map.groupBy(rows, ({ eventId }) => eventId);
  return new Map([...byEvent].map(([id, entries]) => [id, entries.map(toView)]));
}

function toView({ index, content, hash, timestamp }: RowOf<typeof JOURNAL_ROW>): JournalEntryView {
  const kind = kindOf(content);
  const at = new Date(timestamp);
  // Both cases mean that the row was written by bypassing the service.
  if (kind === null || Number.isNaN(at.getTime())) {
    throw new DomainError('CHAIN_BROKEN', `The journal is broken at record ${index}.`, {
      details: { chainIndex: index },
    });
  }
  return { index, kind, content, hash, at };
}

function kindOf(content: string): string | null {
  try {
    const { kind } = JSON.parse(content) as { kind?: unknown };
    return typeof kind === 'string' ? kind : null;
  } catch {
    return null;
  }
}
