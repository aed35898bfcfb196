import { LRUCache } from 'lru-cache';
import type { Centers } from './centers.ts';
import { type Declared, declare } from './declared.ts';
import { Prisma, type PrismaClient } from './generated/prisma/client.ts';
import { declaringClient, openPrisma } from './internals/prisma.ts';
import { openPool, type Pool } from './pool.ts';
import { NotOnReplica, openReplica, type Replica } from './replica.ts';
import type { Queryable } from './sql.ts';
import { scopeArguments } from './tenancy.ts';
import { type DatabaseWatch, watchDatabase } from './watch.ts';

export { type Centers, PLATFORM } from './centers.ts';
export type { Declared } from './declared.ts';
export type { Pool, PoolClient } from './pool.ts';
export type { Queryable } from './sql.ts';
export { Prisma };
export type Db = PrismaClient;
export type Tx = Prisma.TransactionClient;

/** The read side: the primary, or a replica with the same tenant declarations. */
export interface Reads {
  /** Rows of all tenants. Use it only where the function requires it (identity, partners, workers). */
  acrossTenants: Db;
  /** Rows of one tenant only. Transactions always run on the primary. */
  forCenter(centerId: number): Db;
  /** Raw SQL on the rows of these centers; rows of other centers are invisible. */
  declared(centers: Centers): Queryable;
  /** Whether this is the replica: it is read-only and rejects raw transactions. */
  isReplica: boolean;
}

/** The only access to the database: Prisma for the domain, the underlying pool for hot paths. */
export interface Database extends Reads {
  /** Raw SQL on the rows of these centers; rows of other centers can be neither read nor written. */
  declared(centers: Centers): Declared;
  /** Raw SQL without a declaration: rows that belong to a center are invisible. */
  pool: Pool;
  /** Whether the server answers. */
  watch: DatabaseWatch;
  /** A standby for reads that may be a few seconds stale, or null if none is configured. */
  replica: (Replica & { reads: Database }) | null;
  url: string;
  close(): Promise<void>;
}

const SCOPED_CLIENTS_KEPT = 1_000;
/** No center has this id, so a client scoped to it sees nothing, not even the platform's rows. */
const NO_CENTER = 0;

interface DatabaseOptions {
  connections: number;
  replica: { url: string; maxLagSeconds: number } | null;
  /** An idle connection broke; the pool replaces it. */
  onError(error: Error): void;
}

export function openDatabase(url: string, { connections, replica: to, onError }: DatabaseOptions): Database {
  const watch = watchDatabase(url);
  const pool = openPool(url, { connections, watch, onBroken: onError });
  const declared = (centers: Centers) => declare(pool, centers);
  const prisma = openPrisma(pool, declared);
  const primary = { pool, watch, declared };
  const replica = to && openReplica({ ...to, connections, primary, onBroken: onError });
  const onReplica = replica && openPrisma(pool, replica.declared);
  const database: Database = {
    ...clientsOf(prisma),
    declared,
    pool,
    watch,
    replica: null,
    isReplica: false,
    url,
    async close() {
      await watch.close();
      await onReplica?.$disconnect();
      await replica?.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
  if (replica && onReplica) database.replica = { ...replica, reads: replicaOf(database, replica, onReplica) };
  return database;
}

function replicaOf(primary: Database, replica: Replica, prisma: PrismaClient): Database {
  const transaction = () => Promise.reject(new NotOnReplica());
  return {
    ...primary,
    ...clientsOf(prisma),
    declared: (centers) => ({ ...replica.declared(centers), transaction }),
    isReplica: true,
  };
}

function clientsOf(prisma: PrismaClient): Pick<Reads, 'acrossTenants' | 'forCenter'> {
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
  };
}
