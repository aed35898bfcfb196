import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { connectionOf } from './internals/pg-client.ts';
import { CONNECT_TIMEOUT_MS } from './limits.ts';
import { sql } from './sql.ts';

/** The first half of the advisory lock that a live process holds: "cspr" in ASCII. */
const PRESENCE_LOCK = 0x63737072;
/** The longest interval between two heartbeats. */
const BEAT_MS = 2_000;
/** The minimum number of heartbeats before other workers take over jobs. */
const BEATS_BEFORE_TAKEOVER = 3;
const RECONNECT_MS = 500;
/** A commit that takes longer is waiting for a lost standby or a hanging disk. */
const COMMIT_TIMEOUT_MS = 5_000;
/** A process without a heartbeat for this long counts as dead. */
const HEARTBEAT_EXPIRED_SECONDS = 8;

/**
 * The heartbeat of this process: a small commit on a separate connection, at least every two seconds. It shows other processes
 * that this one and its worker pools are alive, and shows this process whether the server still commits. Reads alone would not
 * notice a primary that lost its synchronous standby.
 */
export interface Heartbeat {
  /**
   * The number that identifies this process. It changes after each loss of the connection: leases under the old number are
   * free, because the calls that held them were cut off too.
   */
  id(): number;
  commits(): boolean;
  /** When heartbeats recovered after a failure, as `performance.now()`; null if none has failed. */
  recoveredAt(): number | null;
  /** The graphile-worker pools of this process, which each heartbeat reports as alive. */
  workerPools: Set<string>;
  /** Calls the listener after each committed heartbeat, until the returned function is called. */
  onBeat(listener: () => void): () => void;
  close(): Promise<void>;
}

const BEAT = sql('process_heartbeat')`
  WITH expired AS (DELETE FROM process_heartbeat WHERE beat_at < now() - interval '1 hour' AND presence <> $presence)
  INSERT INTO process_heartbeat (presence, worker_pools, beat_at) VALUES ($presence, $workerPools, clock_timestamp())
  ON CONFLICT (presence) DO UPDATE SET worker_pools = excluded.worker_pools, beat_at = clock_timestamp()`;

/** An SQL condition: the process with this number is alive. */
export const isAliveSql = (presence: string) => `
  EXISTS (SELECT FROM process_heartbeat h
          WHERE h.presence = ${presence} AND h.beat_at > clock_timestamp() - interval '${HEARTBEAT_EXPIRED_SECONDS} seconds')
  AND EXISTS (SELECT FROM pg_locks l
          WHERE l.locktype = 'advisory' AND l.classid = ${PRESENCE_LOCK}::oid AND l.objid = ${presence}::oid AND l.objsubid = 2
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

export const beatEveryMs = (takeoverSeconds: number) =>
  Math.min(BEAT_MS, (takeoverSeconds * 1_000) / BEATS_BEFORE_TAKEOVER);

export async function startHeartbeat(url: string, takeoverSeconds: number, log: Log): Promise<Heartbeat> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const workerPools = new Set<string>();
  const listeners = new Set<() => void>();
  let id = randomInt(1, 2 ** 31);
  let client: pg.Client | undefined;
  let commits = true;
  let recoveredAt: number | null = null;

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'countersign heartbeat',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    // The next heartbeat reports the same failure.
    next.on('error', () => {});
    await next.connect();
    id = randomInt(1, 2 ** 31);
    await next.query('SELECT pg_advisory_lock_shared($1, $2)', [PRESENCE_LOCK, id]);
    return next;
  }

  /** Whether the heartbeat was committed in time. If it hangs, its connection is closed. */
  async function commitBeat(): Promise<boolean> {
    const committed = (async () => {
      client ??= await connect();
      await BEAT.run(client, { presence: id, workerPools: [...workerPools] });
      return true;
    })();
    const late = new AbortController();
    const inTime = await Promise.race([
      committed.catch((error: Error) => {
        log.debug({ reason: error.message }, 'heartbeat failed');
        return false;
      }),
      sleep(COMMIT_TIMEOUT_MS, false, { signal: late.signal, ref: false }).catch(() => false),
    ]);
    late.abort();
    if (!inTime) {
      // Destroyed rather than ended: a hanging server does not acknowledge the end.
      const broken = client;
      client = undefined;
      if (broken) connectionOf(broken).stream.destroy();
      void committed.catch(() => {});
    }
    return inTime;
  }

  async function beat(): Promise<void> {
    const committed = await commitBeat();
    if (committed && !commits) recoveredAt = performance.now();
    commits = committed;
    if (commits) for (const listener of listeners) listener();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await sleep(commits ? beatEveryMs(takeoverSeconds) : RECONNECT_MS, undefined, {
        signal,
        ref: false,
      }).catch(() => {});
      if (!signal.aborted) await beat();
    }
  }

  await beat();
  const running = run();
  return {
    id: () => id,
    commits: () => commits,
    recoveredAt: () => recoveredAt,
    workerPools,
    onBeat(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stopping.abort();
      await running;
      await client
        ?.query('DELETE FROM process_heartbeat WHERE presence = $1', [id])
        .then(() => client?.end())
        .catch(() => {});
    },
  };
}
