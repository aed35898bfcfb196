import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { scopeToCenter } from './tenancy.ts';

export { Prisma };
export type Db = PrismaClient;
/** What runs inside a transaction. */
export type Tx = Prisma.TransactionClient;
export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

/** The one way to the database: Prisma for the domain, the bare pool beneath it for hot paths. */
export interface Database {
  /** Every tenant's rows. Its use must be justified by what the function does (identity, partners, workers). */
  acrossTenants: Db;
  /** One tenant's rows and nothing else. */
  forCenter(centerId: number): Db;
  pool: Pool;
  url: string;
  close(): Promise<void>;
}

const SCOPED_CLIENTS_KEPT = 1_000;

export function openDatabase(url: string, connections: number, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // A connection that breaks is replaced by the pool; without a listener it would end the process. Once the pool is
  // ending, connections are let go without waiting for the server's goodbye.
  const onBroken = (error: Error) => {
    if (!pool.ending) onError(error);
  };
  pool.on('error', onBroken);
  pool.on('connect', (client) => client.on('error', onBroken));
  const acrossTenants = new PrismaClient({ adapter: new PrismaPg(pool) });
  const scoped = new LRUCache<number, Db>({
    max: SCOPED_CLIENTS_KEPT,
    memoMethod: (centerId) => scopeToCenter(acrossTenants, centerId),
  });
  return {
    acrossTenants,
    forCenter: (centerId) => scoped.memo(centerId),
    pool,
    url,
    async close() {
      await acrossTenants.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
