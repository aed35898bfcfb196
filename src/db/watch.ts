import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sessionSettings } from './limits.ts';
import { type RowOf, sql } from './sql.ts';

type DatabaseState = 'ok' | 'out of reach' | 'does not answer' | 'read-only' | 'full';

/** The database has not answered for so long that waiting is pointless. */
export class DatabaseStalled extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database does not answer.');
    this.name = 'DatabaseStalled';
  }
}

/**
 * Polls the database with a small query on a separate connection. A hanging server (stopped, or behind a dead connection)
 * reports no error, so callers would wait forever without this check.
 */
export interface DatabaseWatch {
  state(): DatabaseState;
  /** Whether the database answers, so that work can begin. */
  answers(): boolean;
  /** A write failed because the disk is full. Writes are refused until a check finds free space again. */
  noteFull(): void;
  /** Called when the database has been silent for so long that running statements should fail too. */
  onStalled(cut: () => void): void;
  /** Called when the database is writable again after it was unreachable: another server may have taken its place. */
  onReturn(returned: () => void): void;
  /** When the database last came back, in milliseconds since 1970; null if it was never unreachable. */
  returnedAt(): number | null;
  /** Called after each check with the position in the write-ahead log: written by a primary, replayed by a standby. */
  onPosition(seen: (position: WalPosition) => void): void;
  close(): Promise<void>;
}

const EVERY_MS = 400;
/** The connection is otherwise idle and the query reads nothing from disk, so a silence of this length is an outage. */
const SILENT_MS = 1_500;
/** Each connection needs a server process, which may start slowly on a busy machine. */
const SILENT_CONNECTING_MS = 3_000;
/** Then connections are cut, so that waiting callers get an error. */
const STALLED_MS = 4_000;
const TICK_MS = 100;
/** SQLSTATE disk_full. */
export const DISK_FULL = '53100';

/** Behind a pooler another client may have prepared the same name, so the name changes with the text. */
const ASK = sql('watch_position', {
  read_only: 'boolean',
  isStandby: 'boolean',
  /** In PostgreSQL's notation, such as `0/3000060`; null on a standby that has not replayed anything yet. */
  lsn: 'text?',
})`
  SELECT current_setting('transaction_read_only') = 'on' AS read_only, pg_is_in_recovery() AS "isStandby",
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS lsn`;

type WalPosition = RowOf<typeof ASK>;

/**
 * Writes more than the free space in the pages of a small table, so it needs new pages; it is rolled back. Used only after a
 * write has failed: a failing check costs nothing, a successful one costs a few pages.
 */
const TRY_TO_WRITE = `BEGIN; INSERT INTO process_heartbeat (presence, worker_pools, beat_at)
  SELECT -line, array_agg(gen_random_uuid()::text), now()
  FROM generate_series(1, 50) line, generate_series(1, 60) GROUP BY line`;

export function watchDatabase(url: string): DatabaseWatch {
  const stopping = new AbortController();
  const cuts: (() => void)[] = [];
  const returns: (() => void)[] = [];
  const positions: ((position: WalPosition) => void)[] = [];
  let wasAway = false;
  let returnedAt: number | null = null;
  let state: DatabaseState = 'ok';
  let client: pg.Client | undefined;
  /** At most one connection attempt at a time. It is awaited on close, so that a late connection is closed too. */
  let connecting: Promise<pg.Client> | undefined;
  let seenFull = false;

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    connecting ??= open(url).finally(() => {
      connecting = undefined;
    });
    client = await connecting;
    return client;
  }

  async function ask(): Promise<DatabaseState> {
    const asked = await connected();
    const rows = await ASK.rows(asked, {});
    for (const seen of positions) seen(rows[0]!);
    if (rows[0]!.read_only) return 'read-only';
    if (seenFull) seenFull = !(await hasRoom(asked));
    return seenFull ? 'full' : 'ok';
  }

  function letGo(): void {
    // Its socket is dead; waiting callers get an error.
    client?.end().catch(() => {});
    client = undefined;
  }

  /** One check, which never takes longer than the threshold for a stalled database. */
  async function look(): Promise<void> {
    const over = new AbortController();
    const pending = ask().then(
      (seen) => {
        state = seen;
      },
      () => {
        state = 'out of reach';
        letGo();
      },
    );
    const silentMs = client ? SILENT_MS : SILENT_CONNECTING_MS;
    const late = (async () => {
      await quiet(silentMs, over.signal);
      if (!over.signal.aborted) state = 'does not answer';
      await quiet(STALLED_MS - silentMs, over.signal);
      if (over.signal.aborted || stopping.signal.aborted) return;
      for (const cut of cuts) cut();
      letGo();
    })();
    await Promise.race([pending, late]);
    over.abort();
    if (state === 'ok' && wasAway) {
      returnedAt = Date.now();
      for (const returned of returns) returned();
    }
    wasAway = state !== 'ok' && (wasAway || state !== 'full');
  }

  /**
   * Time during which this process was running: while it is paused or busy it cannot read the answer. Any such break counts as
   * one tick.
   */
  async function quiet(ms: number, over: AbortSignal): Promise<void> {
    for (let ticks = ms / TICK_MS; ticks > 0 && !over.aborted && !stopping.signal.aborted; ticks--) {
      await sleep(TICK_MS, undefined, { signal: over, ref: false }).catch(() => {});
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  const running = run();

  return {
    state: () => state,
    answers: () => state !== 'does not answer',
    noteFull() {
      seenFull = true;
      if (state === 'ok') state = 'full';
    },
    onStalled: (cut) => void cuts.push(cut),
    onReturn: (returned) => void returns.push(returned),
    returnedAt: () => returnedAt,
    onPosition: (seen) => void positions.push(seen),
    async close() {
      stopping.abort();
      const last = client;
      client = undefined;
      const ended = [last?.end(), connecting?.then((late) => late.end()), running];
      await Promise.race([Promise.allSettled(ended), sleep(1_000, undefined, { ref: false })]);
    },
  };
}

async function hasRoom(client: pg.Client): Promise<boolean> {
  try {
    await client.query(TRY_TO_WRITE);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === DISK_FULL) return false;
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'countersign watch',
    connectionTimeoutMillis: 2 * STALLED_MS,
    keepAlive: true,
  });
  // The next check reports the same failure.
  client.on('error', () => {});
  await client.connect();
  await client.query(sessionSettings());
  return client;
}
