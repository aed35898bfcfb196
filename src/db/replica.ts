// Reads from a replica: a standby answers lists, searches, statistics, verifications and exports, which may be a few seconds
// stale. Everything else reads from the primary.
//
// Which server answers is chosen twice:
//
//   for an operation  before it runs (src/schema/replica-reads.ts, src/domain/context.ts). A replica may answer if it allows all
//                     its fields, if its surface can send X-Read-After, and if `isUsable` accepts the position in that header.
//                     From then on its reads go through `declared` below, and the snapshots of verifications through `pool`.
//   for a statement   when it is sent. If the replica may not be asked any more, or fails, the primary answers instead.
//
// Two watchers poll every 400 ms (watch.ts): one reads the position in the write-ahead log that the primary has written, the
// other the position that the standby has replayed. Each position of the primary is kept with the time of this process
// (`marks`). The newest mark that the standby has reached tells how old its rows are at most. No clock but that of this process
// is involved, and a standby that receives nothing any more falls behind like a slow one.
//
// States, as `state()` reports them:
//
//   away            the standby does not answer, or has not answered yet
//   not a standby   it accepts writes: it was promoted, or the URL leads to a primary
//   behind          it has reached no mark, or only marks older than the limit; or it is not as far as `reached`
//   ok              it may be asked
//
// Every check may change the state to any other. Because marks come from the primary, an outage of the primary makes the
// replica `behind` once the last mark is older than the limit. Besides the state there is a pause: a statement that failed on
// the replica and succeeded on the primary keeps all statements on the primary for PAUSE_MS.
//
// What callers can rely on:
// - They read their own writes. A response to a write carries the primary's position after the commit (`positionAfterCommit`),
//   and a read that sends it back uses the replica only if that has replayed it. If the position cannot be read, the
//   response carries one that is certainly later, so the caller reads from the primary for a while.
// - They do not go back behind `reached`, the furthest position that this process has seen on the standby. Each statement is
//   sent with `reached`, and PostgreSQL fails it on a server that is not a standby or has not replayed that far. So an
//   address that suddenly leads to another standby, or to a promoted one, returns an error and never older rows. What the
//   primary answered in the meantime may be newer: the pause gives the replica time to catch up with that.
// - A failing replica fails no call: the statement is repeated on the primary. Only a statement that timed out is not
//   repeated, because it would time out there too.
// - Writes never reach the replica. A transaction throws NotOnReplica. Exports and verifications catch every failure there and
//   start again on the primary; of a verification, only a positive result of the replica counts.
//
// Who waits for whom: a read waits for one server at a time, and never for the replica to catch up. A response to a write waits
// for one statement on the primary, shared with other responses.
//
// A crash loses nothing but memory. A restarted process has no marks and no `reached`: the replica is `away` or `behind` until
// both watchers have reported. The positions that callers hold are still valid. If the standby crashes, statements
// on it fail and are repeated on the primary, and at the next check it is `away`.
import { makeBatcher } from '../lib/batcher.ts';
import type { Centers } from './centers.ts';
import { declareOnReplica } from './declared.ts';
import { isDatabaseDown, isTimeout } from './faults.ts';
import { openPool, type Pool } from './pool.ts';
import { type Queryable, sql } from './sql.ts';
import { type DatabaseWatch, watchDatabase } from './watch.ts';

/** The state of the replica: `away` does not answer, `not a standby` accepts writes, `behind` lags too much. */
export const replicaStates = ['ok', 'away', 'not a standby', 'behind'] as const;
type ReplicaState = (typeof replicaStates)[number];

/**
 * Thrown for operations that need the primary and for data the replica may not have yet: the caller repeats the operation on
 * the primary.
 */
export class NotOnReplica extends Error {
  override name = 'NotOnReplica';
}

/** A standby for reads that may be a few seconds stale. */
export interface Replica {
  /** Whether it has replayed the log up to this position and is current enough; null means any position. */
  isUsable(after: string | null): boolean;
  /** Runs statements on the replica, or on the primary if the replica fails. */
  declared(centers: Centers): Queryable;
  /** For snapshots; callers repeat on the primary what fails here. */
  pool: Pool;
  state(): ReplicaState;
  /** The lag behind the primary, or null if unknown. */
  lagSeconds(): number | null;
  /** The current position of the primary, for a caller whose write has committed. */
  positionAfterCommit(): Promise<string>;
  /** The number of statements answered by the replica, and by the primary in its place. */
  counts(): { replica: number; primary: number };
  close(): Promise<void>;
}

interface ReplicaOptions {
  url: string;
  connections: number;
  maxLagSeconds: number;
  primary: { pool: Pool; watch: DatabaseWatch; declared(centers: Centers): Queryable };
  onBroken(error: Error): void;
}

/** After a failure the primary answers for a while, so that no caller reads new data and then older data. */
const PAUSE_MS = 2_000;
/** More than a server writes between two checks. */
const MARGIN = 1n << 30n;

/** The insert position also covers asynchronous commits. */
const POSITION = sql('position_after_commit', { lsn: 'text' })`
  SELECT pg_current_wal_insert_lsn()::text AS lsn`;

interface Mark {
  at: number;
  position: bigint;
}

export function openReplica({ url, connections, maxLagSeconds, primary, onBroken }: ReplicaOptions): Replica {
  const watch = watchDatabase(url);
  const pool = openPool(url, { connections, watch, onBroken, isReplica: true });
  const maxLagMs = maxLagSeconds * 1_000;
  const counts = { replica: 0, primary: 0 };
  const marks: Mark[] = [];
  let isStandby: boolean | null = null;
  /**
   * The furthest position seen so far. A server that answers must have reached it, even if the address now leads to another
   * one.
   */
  let reached = -1n;
  let position = -1n;
  let currentAt: number | null = null;
  let pausedUntil = 0;

  primary.watch.onPosition(({ lsn }) => {
    if (lsn === null) return;
    marks.push({ at: Date.now(), position: parseLsn(lsn)! });
    // Keep the last mark before the limit: it shows that the standby lags by more than the limit.
    while (marks.length > 2 && marks[1]!.at < Date.now() - 2 * maxLagMs) marks.shift();
  });
  watch.onPosition((seen) => {
    isStandby = seen.isStandby;
    // A promoted standby has its own positions.
    position = isStandby && seen.lsn !== null ? parseLsn(seen.lsn)! : -1n;
    if (position > reached) reached = position;
    const mark = marks.findLast((each) => each.position <= position);
    currentAt = mark?.at ?? null;
  });

  function state(): ReplicaState {
    if (!['ok', 'read-only'].includes(watch.state()) || isStandby === null) return 'away';
    if (!isStandby) return 'not a standby';
    const isCurrent = currentAt !== null && Date.now() - currentAt <= maxLagMs;
    return isCurrent && position >= reached ? 'ok' : 'behind';
  }

  /** One statement serves all writes that committed while the previous one was running. */
  const positions = makeBatcher<null, string>(
    async (writes) => {
      const position = await readPosition().catch(() =>
        // The writes have committed, so use a position that is certainly after them.
        formatLsn((marks.at(-1)?.position ?? 0n) + MARGIN),
      );
      return writes.map(() => position);
    },
    { most: 1_000, concurrency: 2, retryAlone: () => false },
  );

  async function readPosition(): Promise<string> {
    const rows = await POSITION.rows(primary.pool, {});
    return rows[0]!.lsn;
  }

  const mayAsk = () => Date.now() >= pausedUntil && state() === 'ok';

  return {
    pool,
    state,
    lagSeconds() {
      // Behind every recorded mark, so at least this far.
      const at = currentAt ?? (isStandby ? marks[0]?.at : undefined);
      return at === undefined ? null : Math.max(0, Date.now() - at) / 1_000;
    },
    counts: () => counts,
    isUsable(after) {
      const needed = after === null ? -1n : parseLsn(after);
      return needed !== null && needed <= reached && mayAsk();
    },
    declared: (centers) => ({
      async query(statement, values) {
        const asked = mayAsk();
        if (asked) {
          try {
            const answer = await declareOnReplica(pool, centers, formatLsn(reached)).query(statement, values);
            counts.replica++;
            return answer as never;
          } catch (error) {
            // A statement that timed out there would time out again.
            if (isTimeout(error) && !isDatabaseDown(error)) throw error;
          }
        }
        const answer = await primary.declared(centers).query(statement, values);
        // A statement that fails on both servers says nothing about the replica.
        if (asked) pausedUntil = Date.now() + PAUSE_MS;
        counts.primary++;
        return answer as never;
      },
    }),
    positionAfterCommit: () => positions(null),
    async close() {
      await watch.close();
      await pool.end();
    },
  };
}

const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** A position in the write-ahead log as a number, or null if the text is not a position. */
function parseLsn(text: string): bigint | null {
  const parts = LSN.exec(text);
  return parts && (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`);
}

function formatLsn(position: bigint): string {
  const of = position < 0n ? 0n : position;
  return `${(of >> 32n).toString(16)}/${(of & 0xffffffffn).toString(16)}`.toUpperCase();
}
