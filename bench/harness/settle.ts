import { foldTallies } from '../../src/domain/tallies/tally.ts';
import type { Stage } from './stage.ts';

/** What the service's own jobs and the database's would have done in time, done now and not while we measure. */
export async function settle({ app: { db }, admin }: Stage, tables: string[]): Promise<void> {
  await foldTallies(db.pool);
  for (const table of ['tally', 'tally_delta', ...tables]) await admin.query(`VACUUM (ANALYZE) ${table}`);
  await admin.query('CHECKPOINT');
}
