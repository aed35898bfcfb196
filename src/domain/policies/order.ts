// Seals and changes of policies happen one after the other, and their times say so: a verifier takes the newest version of
// each policy before the seal for the one by which the decision was judged.
import type { PoolClient, Tx } from '../../db/database.ts';
import { PLATFORM } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The class of these advisory locks; the second key is the center, or 0 for policies above centers. */
const LOCKS = 27_005;

const HOLD = sql('hold_policies')`
  SELECT pg_advisory_xact_lock_shared(${LOCKS}, c.id)
  FROM unnest($centerIds::int[]) WITH ORDINALITY AS c(id, place) ORDER BY c.place`;

/** Keeps the policies of some centers as they are until the end of the transaction. */
export function holdPolicies(client: PoolClient, centerIds: readonly number[]): Promise<unknown> {
  // Always in the same order, the platform's own first.
  return HOLD.run(client, { centerIds: [PLATFORM, ...[...centerIds].sort((a, b) => a - b)] });
}

/** A clock that is further ahead makes seals that witnesses refute anyway; other records do not follow it. */
const CLOCK_TOLERANCE_MS = 300_000;
/** The clocks of processes that seal side by side differ by less than so many records of a center take. */
const RECENT_OF_ONE = 5_000;
const RECENT_OF_EACH = 100;

/**
 * Waits for seals that are under way and lets none begin before the end of the transaction. Call it first. Gives the moment of
 * the change: after every seal under the policies as they were, whatever the clock of the process that sealed.
 */
export async function beginPolicyChange(tx: Tx, centerId: number | null, now: Date): Promise<Date> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCKS}::int, ${centerId ?? PLATFORM}::int)`;
  const latest = new Date(now.getTime() + CLOCK_TOLERANCE_MS).toISOString();
  const [row] = await tx.$queryRaw<{ last: string | null }[]>`
    SELECT max(r.timestamp) AS last FROM ledger_chain c CROSS JOIN LATERAL (
      SELECT r.timestamp FROM ledger_record r WHERE r.chain_id = c.id AND r.timestamp <= ${latest}
      ORDER BY r.index DESC LIMIT ${centerId === null ? RECENT_OF_EACH : RECENT_OF_ONE}) r
    WHERE c.domain = 'proof' AND (${centerId}::int IS NULL OR c.center_id = ${centerId}::int)`;
  const last = row?.last ? Date.parse(row.last) + 1 : 0;
  return new Date(Math.max(now.getTime(), last));
}
