import pg from 'pg';
import { foldTallies } from '../../src/domain/tallies/tally.ts';
import type { Stage } from './stage.ts';

/** What the service's own jobs and the database's would have done in time, done now and not while we measure. */
export async function settle({ app: { db }, adminUrl }: Stage, tables: string[]): Promise<void> {
  await foldTallies(db.pool);
  for (const table of tables) await db.pool.query(`VACUUM (ANALYZE) ${table}`);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('CHECKPOINT');
  await admin.end();
}
