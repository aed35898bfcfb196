import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';

const MINUTE_MS = 60_000;

/** Notes when a session was last used, to the minute. Nobody waits for it, and a failure concerns nobody but the log. */
export type NoteSessionUse = (sessionId: string, now: Date) => void;

export function makeNoteSessionUse(db: Database, log: Log): NoteSessionUse {
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE_MS });
  return (sessionId, now) => {
    if (noted.has(sessionId)) return;
    noted.set(sessionId, true);
    // Other processes note the same session: the condition keeps it to one write a minute for all of them.
    db.declared('acrossTenants') // sessions belong to people, not to a center
      .query(
        `UPDATE session SET last_used_at = $2
         WHERE id = $1 AND last_used_at <= $2::timestamptz - interval '1 minute'`,
        [sessionId, now],
      )
      .catch((error: Error) =>
        log.warn({ reason: error.message, sessionId }, 'could not note the use of a session'),
      );
  };
}
