import type { Payment } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { besideMoment, type MomentKey } from './moments.ts';
import { currentPartnerId } from './own.ts';
import type { Slice } from './slice.ts';

/** A stretch of the payments for the partner's centers, newest first. */
export function sliceOfPayments(
  ctx: Context,
  { take, after, before, inverted }: Slice<MomentKey>,
): Promise<Payment[]> {
  const direction = inverted ? 'asc' : 'desc';
  return ctx.app.db.acrossTenants.payment.findMany({
    where: {
      partnerId: currentPartnerId(ctx),
      AND: [after ? besideMoment(after, 'lt') : {}, before ? besideMoment(before, 'gt') : {}],
    },
    orderBy: [{ occurredAt: direction }, { id: direction }],
    take,
  });
}
