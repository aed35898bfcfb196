import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isTracing } from '../lib/tracing.ts';
import { prepareDeclaration } from './declared.ts';
import { Client, type ClientConfig, connectionOf } from './internals/pg-client.ts';
import { TracedClient } from './internals/traced-client.ts';
import { ANSWER_TIMEOUT_MS, CONNECT_TIMEOUT_MS, sessionSettings } from './limits.ts';
import { DatabaseStalled, type DatabaseWatch, DISK_FULL } from './watch.ts';

export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

/** An unreachable server does not acknowledge the end of a connection. */
const LONGEST_GOODBYE_MS = 2_000;

interface PoolOptions {
  connections: number;
  /** Session settings besides the timeouts, in the syntax of SET. */
  settings?: Record<string, string>;
  isReplica?: boolean;
  /** Reports when waiting for the server is pointless. */
  watch: DatabaseWatch;
  /** An idle connection broke; the pool replaces it. */
  onBroken(error: Error): void;
}

/**
 * A pool whose `end` resolves after its connections are closed. The library's own `end` does not wait, so a server that is
 * stopped right afterwards logs connections it had to cut.
 */
class PatientPool extends pg.Pool {
  readonly #gone = new Set<Promise<unknown>>();
  readonly #clients = new Set<pg.PoolClient>();
  readonly #watch: DatabaseWatch;

  constructor(config: pg.PoolConfig, watch: DatabaseWatch) {
    super(config);
    this.#watch = watch;
    this.on('connect', (client) => {
      const gone = new Promise((resolve) => client.once('end', resolve));
      this.#gone.add(gone);
      this.#clients.add(client);
      connectionOf(client).on('errorMessage', ({ code }) => {
        if (code === DISK_FULL) watch.noteFull();
      });
      void gone.then(() => {
        this.#gone.delete(gone);
        this.#clients.delete(client);
      });
    });
    watch.onStalled(() => this.#cut());
  }

  /** While the server does not answer, callers get an error immediately instead of after their timeout. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const stalled = this.#watch.answers() ? undefined : new DatabaseStalled();
    if (!callback) return stalled ? Promise.reject(stalled) : super.connect();
    if (stalled) process.nextTick(callback, stalled, undefined, () => {});
    else super.connect(callback);
    return undefined;
  }

  /** As if the connections had broken: running statements fail, and the pool opens new connections. */
  #cut(): void {
    for (const client of this.#clients) connectionOf(client).stream.destroy(new DatabaseStalled());
  }

  override async end(): Promise<void> {
    await super.end();
    const late = setTimeout(LONGEST_GOODBYE_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.#gone), late]);
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

export function openPool(
  url: string,
  { connections, settings, isReplica = false, onBroken, watch }: PoolOptions,
): Pool {
  const prepare = sessionSettings(settings);
  const config: pg.PoolConfig & ClientConfig = {
    connectionString: url,
    Client: isTracing() ? TracedClient : Client,
    max: connections,
    application_name: 'countersign',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    // Statements sent without waiting for one another share a round trip.
    pipeline: true,
    onConnect: async (client) => {
      await client.query(prepare);
      await prepareDeclaration(client as PoolClient, isReplica);
    },
  };
  const pool = new PatientPool(config, watch);
  // Without a listener a broken connection would end the process. While the pool is ending, connections are closed without
  // waiting for the server.
  const listener = (error: Error) => {
    if (!pool.ending) onBroken(error);
  };
  pool.on('error', listener);
  pool.on('connect', (client) => client.on('error', listener));
  return pool;
}
