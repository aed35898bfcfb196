// Passes over all centers: work that looks for what is due in any of them. One pass of a kind runs at a time in all processes,
// and it runs in rounds: in each round, every center that has something due gets one batch. A center with a large backlog
// therefore delays another one by its share of a round, not by its backlog. A pass ends when nothing is due or its time is up;
// what is left is due in the next one. Each round begins at a random center, so that none is always reached last.
//
// An open transaction with an advisory lock makes the pass the only one. If its process or its connection dies, PostgreSQL
// releases the lock, and the next pass takes over. Two passes may overlap then, so each batch checks with its own row locks
// that its work is still to be done.
import { sql } from '../db/sql.ts';
import type { Infrastructure } from './context.ts';

/** Shorter than `idle_in_transaction_session_timeout`, by more than a batch takes. */
const MAX_PASS_MS = 10_000;
/** The first key of these advisory locks. The second is derived from the name of the pass. */
const LOCKS = 27_006;

const LOCK_PASS = sql('lock_pass', { isFree: 'boolean' })`
  SELECT pg_try_advisory_xact_lock(${LOCKS}, hashtext($name)) AS "isFree"`;

/** The work for one center in a round. */
interface CenterBatch {
  run(): Promise<void>;
}

/**
 * Runs rounds until one finds nothing due, unless another process runs a pass of this name. `findDue` returns one batch for
 * each center. A batch must leave nothing due that it could not do: it would come back in every round. Returns whether it ran.
 */
export async function runFairPass(
  { db }: Infrastructure,
  name: 'deadlines' | 'notifications' | 'schedules',
  findDue: () => Promise<CenterBatch[]>,
): Promise<boolean> {
  return db.declared([]).transaction(async (client) => {
    const [lock] = await LOCK_PASS.rows(client, { name });
    if (!lock!.isFree) return false;
    const until = performance.now() + MAX_PASS_MS;
    for (;;) {
      const batches = await findDue();
      const first = Math.floor(Math.random() * batches.length);
      for (const batch of [...batches.slice(first), ...batches.slice(0, first)]) {
        if (performance.now() > until) return true;
        await batch.run();
      }
      if (batches.length === 0) return true;
    }
  });
}
