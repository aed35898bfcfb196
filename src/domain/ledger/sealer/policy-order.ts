// Serializes seals with changes of policies, groups and delegations, and with revocations of mandates, and orders their timestamps
// accordingly: a verifier assumes that a decision was evaluated under the newest records that the journal held when it was
// sealed.
import type { PoolClient, Tx } from '../../../db/database.ts';
import { PLATFORM } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** The first key of these advisory locks. The second is the center, or 0 for policies above centers. */
const LOCKS = 27_005;

const HOLD = sql('hold_policies', { id: 'int', pg_advisory_xact_lock_shared: 'void' })`
  SELECT c.id, pg_advisory_xact_lock_shared(${LOCKS}, c.id)
  FROM unnest($centerIds::int[]) WITH ORDINALITY AS c(id, place) ORDER BY c.place`;
const HOLD_FREE = sql('hold_free_policies', { id: 'int' })`
  SELECT id FROM unnest($centerIds::int[]) id WHERE pg_try_advisory_xact_lock_shared(${LOCKS}, id)`;

/**
 * Prevents changes to the policies of the given centers until the end of the transaction. Without `wait`, it leaves out
 * centers whose policies are being changed. Returns the centers whose policies stay as they are.
 */
export async function lockPolicies(
  client: PoolClient,
  centerIds: readonly number[],
  wait: boolean,
): Promise<Set<number>> {
  // A fixed order, the platform's own first, prevents deadlocks.
  const ordered = [PLATFORM, ...[...centerIds].sort((a, b) => a - b)];
  const rows = await (wait ? HOLD : HOLD_FREE).rows(client, { centerIds: ordered });
  const locked = new Set(rows.map(({ id }) => id));
  // The policies of the platform apply to every center.
  return locked.has(PLATFORM) ? locked : new Set();
}

/** Witnesses reject seals from a clock that is further ahead, so such timestamps are ignored. */
export const CLOCK_TOLERANCE_MS = 300_000;
/** Clock skew between processes is smaller than the time a center takes for this many records. */
const RECENT_OF_ONE = 5_000;
const RECENT_OF_EACH = 100;

/**
 * Waits for seals in progress and blocks new ones until the end of the transaction. Call it before locking any row. Returns the
 * time of the change, which is later than every seal before it regardless of clock skew.
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
