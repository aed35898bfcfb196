import { foldTallies } from '../../src/domain/tallies/tally.ts';
import type { Stage } from './stage.ts';

/** Runs pending background jobs of the service and the database now rather than during the measurement. */
export async function settle({ app: { db }, admin }: Stage, tables: string[]): Promise<void> {
  await foldTallies(db.pool);
  for (const table of ['tally', 'tally_delta', ...tables]) await admin.query(`VACUUM (ANALYZE) ${table}`);
  await admin.query('CHECKPOINT');
}
