import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context, Infrastructure } from '../context.ts';
import { requireCenterPlan } from '../plans/plans.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { reinstatement, type SubscriptionEvent, statusAfter, TRANSITIONS } from './transitions.ts';
import { lockSubscription, type SubscriptionRow } from './view.ts';

export const subscriptionActions = ['SUSPEND', 'REINSTATE', 'CANCEL', 'RESUME'] as const;

type Action = (typeof subscriptionActions)[number];

export const moveSubscriptionInput = z.object({
  centerId: z.int().describe('The id of the center, a positive integer.'),
  action: z.enum(subscriptionActions).describe('Whether to suspend, reinstate, cancel or resume it.'),
});

/** Changes the status of a center's subscription manually, if the transition is allowed. */
export function moveSubscription(
  ctx: Context,
  { centerId, action }: z.infer<typeof moveSubscriptionInput>,
): Promise<SubscriptionRow> {
  return transact.acrossTenants(ctx, async (work) => {
    const subscription = await lockSubscription(ctx, work.db, centerId);
    const status = statusAfter(subscription.status, await eventOf(work, subscription, action, ctx.now));
    if (!status) {
      throw new DomainError(
        'CONFLICT',
        `The action ${action} is not allowed for a subscription that is ${subscription.status}.`,
      );
    }
    audit(work, subscription, { status });
    return work.db.subscription.update({
      where: { id: subscription.id },
      data: { status },
      include: { plan: true },
    });
  });
}

async function eventOf(
  { db }: Work,
  { id, currentPeriodEnd }: SubscriptionRow,
  action: Action,
  now: Date,
): Promise<SubscriptionEvent> {
  if (action !== 'REINSTATE') {
    return ({ SUSPEND: 'suspended', CANCEL: 'canceled', RESUME: 'resumed' } as const)[action];
  }
  const paid = await db.payment.findFirst({ where: { subscriptionId: id, status: 'COMPLETED' } });
  return reinstatement(paid ? currentPeriodEnd : null, now);
}

export const changePlanInput = z.object({
  centerId: z.int().min(1).describe('The id of the center, a positive integer.'),
  planId: plainText(256).min(1).describe('The id of the new plan, from `plans`. It must have enough seats.'),
});

/** Moves a center to another plan immediately. A plan with fewer seats than are taken is refused. */
export function changePlan(
  ctx: Context,
  { centerId, planId }: z.infer<typeof changePlanInput>,
): Promise<SubscriptionRow> {
  return transact.acrossTenants(ctx, async (work) => {
    const subscription = await lockSubscription(ctx, work.db, centerId);
    const { id, seatLimit } = await requireCenterPlan(work.db, planId);
    const taken = await work.db.membership.count({ where: { centerId, status: 'ACTIVE' } });
    if (taken > seatLimit) {
      throw new DomainError(
        'CONFLICT',
        `The plan has ${seatLimit} seats, but ${taken} are taken; end memberships or choose a larger plan.`,
      );
    }
    audit(work, subscription, { planId: id });
    return work.db.subscription.update({
      where: { centerId },
      data: { planId: id, seatLimit },
      include: { plan: true },
    });
  });
}

function audit(work: Work, before: SubscriptionRow, to: Partial<SubscriptionRow>): void {
  const from = Object.fromEntries(Object.keys(to).map((key) => [key, before[key as keyof SubscriptionRow]]));
  work.audit({
    type: 'center.updated',
    centerId: before.centerId,
    target: String(before.centerId),
    detail: { subscription: { from, to } },
  });
}

const BATCH = 500;

/**
 * Ends expired trials in batches. Returns how many. Several workers can run it concurrently: each takes rows that no other has
 * locked, and a concurrent payment comes either before or after.
 */
export async function expireTrials({ db }: Infrastructure, now: Date): Promise<number> {
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
