import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';

const MINUTE_MS = 60_000;

interface UsedKey {
  keyId: string;
  centerId: number;
}

/** Records when a key was last used, to the minute. Runs in the background; a failure is only logged. */
export type NoteUse = (key: UsedKey, now: Date) => void;

export function makeNoteUse(db: Database, log: Log): NoteUse {
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE_MS });
  return ({ keyId, centerId }, now) => {
    if (noted.has(keyId)) return;
    noted.set(keyId, true);
    // Other processes record the same key. The condition limits this to one write per minute in total.
    db.declared([centerId])
      .query(
        `UPDATE api_key SET last_used_at = $2
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
        [keyId, now],
      )
      .catch((error: Error) =>
        log.warn({ reason: error.message, keyId }, 'could not record the last use of an API key'),
      );
  };
}
