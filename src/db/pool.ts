import pg from 'pg';

export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

export interface PoolOptions {
  connections: number;
  /** Settings of every session, as SET takes them. */
  settings?: Record<string, string>;
  /** A connection broke that nobody was using; the pool replaces it by itself. */
  onBroken(error: Error): void;
}

export function openPool(url: string, { connections, settings = {}, onBroken }: PoolOptions): Pool {
  const prepare = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(prepare.length > 0 && {
      onConnect: async (client) => void (await client.query(prepare.join(';'))),
    }),
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
