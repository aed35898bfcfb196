import type { Infrastructure } from '../context.ts';
import { TRANSITIONS } from './transitions.ts';

const BATCH = 500;

/**
 * Ends trials whose time is over, some at a time; answers how many. Several workers can do it together: each takes
 * rows that no other holds, and a payment that arrives meanwhile wins or comes after, never both.
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
