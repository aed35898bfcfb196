import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { prepareDeclaration } from './declared.ts';

export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

/** A server that is out of reach says no goodbye. */
const LONGEST_GOODBYE_MS = 2_000;

export interface PoolOptions {
  connections: number;
  /** Settings of every session, as SET takes them. */
  settings?: Record<string, string>;
  /** A connection broke that nobody was using; the pool replaces it by itself. */
  onBroken(error: Error): void;
}

/**
 * A pool that has ended once its connections are gone. The library's own says goodbye to them and does not wait, so that a
 * server which is stopped right afterwards complains of connections that it had to cut.
 */
class PatientPool extends pg.Pool {
  readonly #gone = new Set<Promise<unknown>>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => {
      const gone = new Promise((resolve) => client.once('end', resolve));
      this.#gone.add(gone);
      void gone.then(() => this.#gone.delete(gone));
    });
  }

  override async end(): Promise<void> {
    await super.end();
    const late = setTimeout(LONGEST_GOODBYE_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.#gone), late]);
  }
}

export function openPool(url: string, { connections, settings = {}, onBroken }: PoolOptions): Pool {
  const prepare = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  const pool = new PatientPool({
    connectionString: url,
    max: connections,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    onConnect: async (client) => {
      if (prepare.length > 0) await client.query(prepare.join(';'));
      await prepareDeclaration(client as PoolClient);
    },
  });
  // Without a listener a broken connection would end the process. Once the pool is ending, connections are let go
  // without waiting for the server's goodbye.
  const listener = (error: Error) => {
    if (!pool.ending) onBroken(error);
  };
  pool.on('error', listener);
  pool.on('connect', (client) => client.on('error', listener));
  return pool;
}
