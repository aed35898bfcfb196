import type pg from 'pg';
import { DeclaredQuery } from './internals/declared-query.ts';
import { type Queryable, sql } from './sql.ts';

type Pool = pg.Pool;
type PoolClient = pg.PoolClient;

/**
 * Whose rows a statement or transaction may see. Row-level security shows a center's rows only after the center was declared
 * (migration access), so a statement without its filter cannot find rows of another center.
 */
export type Centers = readonly number[] | 'acrossTenants';

/** Declares the platform's own rows, which belong to no center. */
export const PLATFORM = 0;

/** Raw SQL that sees the rows of the declared centers and rows without a center. */
export interface Declared extends Queryable {
  /** Commits when the work resolves; rolls back when it throws. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

const PRIMARY_NAME = 'declare_centers';
const DECLARE = sql(PRIMARY_NAME)`SELECT set_config('cs.centers', $centers, true)`;

const REPLICA_NAME = 'declare_centers_on_replica';
/** Fails, together with the statement that follows, unless a standby answers that has replayed the log up to the position. */
const DECLARE_ON_REPLICA = sql(REPLICA_NAME)`
  SELECT CASE WHEN pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $position::pg_lsn
    THEN set_config('cs.centers', $centers, true)
    ELSE ('the replica is at ' || coalesce(pg_last_wal_replay_lsn()::text, 'no position'))::int::text END`;

/** Prepared on every new connection, so a declaration costs no more than its execution. */
export async function prepareDeclaration(client: Queryable, isReplica = false): Promise<void> {
  if (isReplica) await DECLARE_ON_REPLICA.run(client, { position: '0/0', centers: '' });
  else await DECLARE.run(client, { centers: '' });
}

export function declare(pool: Pool, centers: Centers): Declared {
  const setting = settingOf(centers);
  const declaration = { name: PRIMARY_NAME, values: [setting] };
  return {
    query: (statement, values) => pool.query(new DeclaredQuery(declaration, statement, values)) as never,
    transaction: (work) => inTransaction(pool, setting, work),
  };
}

/** The same for a replica, which must have replayed the log up to a position. */
export function declareOnReplica(pool: Pool, centers: Centers, position: string): Queryable {
  const declaration = { name: REPLICA_NAME, values: [position, settingOf(centers)] };
  return {
    query: (statement, values) => pool.query(new DeclaredQuery(declaration, statement, values)) as never,
  };
}

/** The SQL that begins a transaction and declares its centers in one round trip. */
export function beginDeclared(centers: Centers, mode = ''): string {
  return begin(settingOf(centers), mode);
}

// Contains only digits, commas and the star, so it is safe inside quotes.
const begin = (declaration: string, mode = '') =>
  `BEGIN${mode && ` ${mode}`}; SET LOCAL cs.centers = '${declaration}'`;

function settingOf(centers: Centers): string {
  if (centers === 'acrossTenants') return '*';
  for (const id of centers) if (!Number.isSafeInteger(id)) throw new TypeError(`${id} is no center`);
  return centers.length < 2 ? centers.join() : [...new Set(centers)].join();
}

async function inTransaction<T>(pool: Pool, declaration: string, work: (client: PoolClient) => Promise<T>) {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(begin(declaration));
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
