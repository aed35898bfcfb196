import type { PoolClient } from '../../../db/database.ts';
import type { App } from '../../app.ts';

/** The first half of the lock's name, "cskp" in ASCII; the chain's id is the second. */
const LOCK_CLASS = 0x63736b70;

/**
 * Lets one process at a time work on the checkpoints of a chain. Appending goes on meanwhile. The work must use the
 * connection it is given and no other: with all connections waiting here, another one would never come.
 */
export async function withChainLock<T>(
  app: App,
  chainId: number,
  work: (db: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await app.db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, chainId]);
    try {
      return await work(client);
    } finally {
      await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_CLASS, chainId]).catch((error: Error) => {
        broken = error;
      });
    }
  } finally {
    // A connection that may still hold the lock must not go back to the pool.
    client.release(broken);
  }
}
