import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { openPool, type Pool } from './pool.ts';
import { scopeToCenter } from './tenancy.ts';

export type { Pool, PoolClient } from './pool.ts';
export { Prisma };
export type Db = PrismaClient;
/** What runs inside a transaction. */
export type Tx = Prisma.TransactionClient;

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
  const pool = openPool(url, { connections, onBroken: onError });
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
