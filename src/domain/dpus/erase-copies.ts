import { sql, type Transaction } from '../../db/sql.ts';

/** Something that was erased, and what else mentions it. */
interface Erasure {
  centerId: number;
  /** The ids under which events and stored responses mention it, oldest first. */
  ids: readonly [string, ...string[]];
  createdAt: Date;
  /** Members of platform events that contain nothing erased. */
  kept: readonly string[];
}

const ERASE_FROM_EVENTS = sql('erase_from_events')`
  SELECT erase_from_events($centerId::int, $firstEvent, $ids::text[], $kept::text[])`;

/** The rows stay, so that a replay of the request does not run it again. */
const ERASE_STORED_ANSWERS = sql('erase_stored_answers')`
  UPDATE idempotency_record SET request_hash = '', response_body = NULL, results = '{}'
  WHERE created_at >= $createdAt::timestamptz - interval '1 hour' AND subjects && $ids::text[]`;

/**
 * Erases the content of platform events about an erased subject, with their deliveries and consumers' responses, and the
 * stored responses of requests about it.
 */
export async function eraseCopies(
  tx: Transaction,
  { centerId, ids, createdAt, kept }: Erasure,
): Promise<void> {
  await ERASE_FROM_EVENTS.run(tx, { centerId, firstEvent: firstEventAbout(ids[0]), ids, kept });
  await ERASE_STORED_ANSWERS.run(tx, { createdAt: createdAt.toISOString(), ids });
}

/** Lower than the id of every event about it: ids begin with their time, and clocks differ by less than an hour. */
const firstEventAbout = (id: string) => `msg_${id.slice(id.indexOf('_') + 1).slice(0, 4)}`;
