import type pg from 'pg';
import { beginDeclared, type Centers, settingOf } from './centers.ts';
import { queryDeclared } from './internals/declared-query.ts';
import { type Queryable, sql } from './sql.ts';

type Pool = pg.Pool;
type PoolClient = pg.PoolClient;

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
  const declaration = { name: PRIMARY_NAME, values: [settingOf(centers)] };
  return {
    query: (statement, values) => queryDeclared(pool, declaration, statement, values) as never,
    transaction: (work) => inTransaction(pool, centers, work),
  };
}

/** The same for a replica, which must have replayed the log up to a position. */
export function declareOnReplica(pool: Pool, centers: Centers, position: string): Queryable {
  const declaration = { name: REPLICA_NAME, values: [position, settingOf(centers)] };
  return {
    query: (statement, values) => queryDeclared(pool, declaration, statement, values) as never,
  };
}

async function inTransaction<T>(pool: Pool, centers: Centers, work: (client: PoolClient) => Promise<T>) {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(beginDeclared(centers));
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
