import { sql, type Transaction } from '../../db/sql.ts';

/** Something that was erased, and what else mentions it. */
interface Erasure {
  centerId: number;
  /** The ids under which events and stored answers mention it; the first one is the oldest. */
  ids: readonly [string, ...string[]];
  createdAt: Date;
  /** Members of platform events that hold nothing that was erased. */
  kept: readonly string[];
}

const ERASE_FROM_EVENTS = sql('erase_from_events')`
  SELECT erase_from_events($centerId::int, $firstEvent, $ids::text[], $kept::text[])`;

/** The rows stay, so that a replay of the request does not run it again. */
const ERASE_STORED_ANSWERS = sql('erase_stored_answers')`
  UPDATE idempotency_record SET request_hash = '', response_body = NULL, results = '{}'
  WHERE created_at >= $createdAt::timestamptz - interval '1 hour' AND subjects && $ids::text[]`;

/**
 * Empties platform events about something that is erased, with their deliveries and the answers of consumers, and the stored
 * answers of requests about it.
 */
export async function eraseCopies(
  tx: Transaction,
  { centerId, ids, createdAt, kept }: Erasure,
): Promise<void> {
  await ERASE_FROM_EVENTS.run(tx, { centerId, firstEvent: firstEventAbout(ids[0]), ids, kept });
  await ERASE_STORED_ANSWERS.run(tx, { createdAt: createdAt.toISOString(), ids });
}

/** Below the id of every event about it: ids begin with their time, and no clock is an hour behind another. */
const firstEventAbout = (id: string) => `msg_${id.slice(id.indexOf('_') + 1).slice(0, 4)}`;
