import type { Infrastructure } from '../context.ts';
import { TRANSITIONS } from './transitions.ts';

const BATCH = 500;

/**
 * Ends expired trials in batches. Returns how many. Several workers can run it concurrently: each takes rows that no other has
 * locked, and a concurrent payment comes either before or after.
 */
export async function lapseTrials({ db }: Infrastructure, now: Date): Promise<number> {
  let lapsed = 0;
  for (;;) {
    const { rowCount } = await db.declared('acrossTenants').query(
      `UPDATE subscription SET status = $1::subscription_status, updated_at = $2
       WHERE id IN (
         SELECT id FROM subscription WHERE status = 'TRIAL' AND current_period_end <= $2
         ORDER BY current_period_end LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
      [TRANSITIONS.trial_lapsed.TRIAL, now],
    );
    lapsed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return lapsed;
  }
}
