import type { Payment } from '../../db/generated/prisma/client.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import { besideMoment, type MomentKey } from './moments.ts';
import { currentPartnerId } from './partner-access.ts';

/** A window of the payments for the partner's centers, newest first. */
export function sliceOfPayments(
  ctx: Context,
  { limit, after, before, inverted }: CursorWindow<MomentKey>,
): Promise<Payment[]> {
  const direction = inverted ? 'asc' : 'desc';
  return ctx.app.db.acrossTenants.payment.findMany({
    where: {
      partnerId: currentPartnerId(ctx),
      AND: [after ? besideMoment(after, 'lt') : {}, before ? besideMoment(before, 'gt') : {}],
    },
    orderBy: [{ occurredAt: direction }, { id: direction }],
    take: limit,
  });
}

/** Those of the payments with these ids that are for the partner's centers. */
export function paymentsById(ctx: Context, ids: string[]): Promise<Payment[]> {
  return ctx.app.db.acrossTenants.payment.findMany({
    where: { id: { in: ids }, partnerId: currentPartnerId(ctx) },
    orderBy: { id: 'asc' },
  });
}
