import { LRUCache } from 'lru-cache';
import { type Centers, type Declared, declare } from './declared.ts';
import { Prisma, type PrismaClient } from './generated/prisma/client.ts';
import { declaringClient, openPrisma } from './internals/prisma.ts';
import { openPool, type Pool } from './pool.ts';
import { scopeArguments } from './tenancy.ts';
import { type DatabaseWatch, watchDatabase } from './watch.ts';

export { type Centers, type Declared, PLATFORM } from './declared.ts';
export type { Pool, PoolClient } from './pool.ts';
export type { Queryable } from './sql.ts';
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
  /** Raw SQL on the rows of these centers; what it reads and writes of others does not exist for it. */
  declared(centers: Centers): Declared;
  /** Raw SQL that has declared nothing: it sees no row that belongs to a center. */
  pool: Pool;
  /** Whether the server answers. */
  watch: DatabaseWatch;
  url: string;
  close(): Promise<void>;
}

const SCOPED_CLIENTS_KEPT = 1_000;
/** No center has this id, so a client for it sees nothing, not even what belongs to the platform. */
const NO_CENTER = 0;

export function openDatabase(url: string, connections: number, onError: (error: Error) => void): Database {
  const watch = watchDatabase(url);
  const pool = openPool(url, { connections, watch, onBroken: onError });
  const prisma = openPrisma(pool);
  const scoped = new LRUCache<number, Db>({
    max: SCOPED_CLIENTS_KEPT,
    memoMethod: (centerId) =>
      declaringClient(prisma, centerId === NO_CENTER ? [] : [centerId], (model, operation, args) =>
        scopeArguments(model, operation, args, centerId),
      ),
  });
  return {
    acrossTenants: declaringClient(prisma, 'acrossTenants'),
    forCenter: (centerId) => scoped.memo(centerId),
    declared: (centers) => declare(pool, centers),
    pool,
    watch,
    url,
    async close() {
      await watch.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
