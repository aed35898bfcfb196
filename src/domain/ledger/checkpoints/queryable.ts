import type { Pool, PoolClient } from '../../../db/database.ts';
import type { App } from '../../app.ts';

export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** Runs work in one transaction, which is also how long its locks last: safe behind a pooler that shares connections. */
export async function inTransaction<T>(app: App, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const client = await app.db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
