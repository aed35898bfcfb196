import { makeBatcher } from '../lib/batcher.ts';
import { type Centers, declareOnReplica } from './declared.ts';
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

/** When the primary was at a position. */
interface Mark {
  at: number;
  position: bigint;
}

/**
 * Opens a standby. The lag is measured without the standby's clock: the primary's positions are recorded over time, and the
 * newest one that the standby has replayed tells how old its rows are. This also detects a standby that no longer receives
 * anything.
 */
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
