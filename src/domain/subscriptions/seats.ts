import type { Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';

/**
 * Makes sure that one more member may become ACTIVE in the center, in the caller's transaction and before the move.
 * The subscription's row is locked until the commit, so two callers can never share the last seat. A center without
 * a subscription has no limit.
 */
export async function requireFreeSeat(tx: Tx, centerId: number): Promise<void> {
  const [subscription] = await tx.$queryRaw<{ seatLimit: number }[]>`
    SELECT seat_limit AS "seatLimit" FROM subscription WHERE center_id = ${centerId} FOR UPDATE`;
  if (!subscription) return;
  const taken = await tx.membership.count({ where: { centerId, status: 'ACTIVE' } });
  if (taken >= subscription.seatLimit) {
    throw new DomainError('CONFLICT', `All ${subscription.seatLimit} seats of the subscription are taken.`, {
      details: { seatLimit: subscription.seatLimit, seatUsed: taken },
    });
  }
}
