import { z } from 'zod';
import type { Payment } from '../../db/generated/prisma/client.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { publishPayment } from '../announcements.ts';
import type { Context } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { periodAfter, statusAfter } from './transitions.ts';
import { lockSubscription, type SubscriptionRow } from './view.ts';

/**
 * The period after a payment. Paid time is added to the remaining time, including that of a trial. If none remains, it begins
 * now, and its day becomes the start day of all later periods.
 */
function paidPeriod(subscription: SubscriptionRow, now: Date) {
  const { currentPeriodEnd: end, billingCycle } = subscription;
  const running = end > now;
  const start = running ? end : now;
  const anchorDay = (running ? subscription.anchorDay : null) ?? start.getUTCDate();
  return {
    currentPeriodStart: running ? subscription.currentPeriodStart : now,
    currentPeriodEnd: periodAfter(start, billingCycle, anchorDay),
    anchorDay,
  };
}

const LARGEST_AMOUNT = 2_000_000_000;

export const recordPaymentInput = z.object({
  centerId: z.int().min(1).describe('The id of the center, a positive integer.'),
  /** The payment provider's own id. A payment is recorded once. */
  reference: plainText(256)
    .trim()
    .min(1)
    .describe('The reference of the payment provider. Each payment is recorded once.'),
  amount: z
    .int()
    .min(1)
    .max(LARGEST_AMOUNT)
    .describe('The amount in the smallest currency unit, such as cents; 1 to 2,000,000,000.'),
  currency: plainText(3)
    .nullish()
    .describe('The currency (ISO 4217). If given, it must be that of the plan.'),
  occurredAt: z.date().nullish().describe('When it was confirmed, not in the future. Default: now.'),
});

export const recordPaymentFailureInput = recordPaymentInput.extend({
  reason: plainText(1_000)
    .trim()
    .min(1)
    .nullish()
    .describe('Why it failed, in the words of the provider, at most 1,000 characters.'),
});

type Input = z.infer<typeof recordPaymentFailureInput>;

export interface RecordedPayment {
  payment: Payment;
  subscription: SubscriptionRow;
}

/** A confirmed payment ends a trial, clears an overdue balance and extends the paid time. */
export function recordPayment(
  ctx: Context,
  input: z.infer<typeof recordPaymentInput>,
): Promise<RecordedPayment> {
  return record(ctx, input, 'COMPLETED', async (work, subscription, payment) => {
    work.emit('payment.completed', dataOf(payment), payment.centerId);
    const status = statusAfter(subscription.status, 'payment_completed')!;
    return work.db.subscription.update({
      where: { id: subscription.id },
      data: { status, ...paidPeriod(subscription, ctx.now) },
      include: { plan: true },
    });
  });
}

/** A payment that failed for good makes an active subscription past due. */
export function recordPaymentFailure(ctx: Context, input: Input): Promise<RecordedPayment> {
  return record(ctx, input, 'FAILED', async (work, subscription, payment) => {
    work.emit(
      'payment.failed',
      { ...dataOf(payment), failureReason: payment.failureReason },
      payment.centerId,
    );
    const status = statusAfter(subscription.status, 'payment_failed')!;
    return work.db.subscription.update({
      where: { id: subscription.id },
      data: { status },
      include: { plan: true },
    });
  });
}

type Apply = (work: Work, subscription: SubscriptionRow, payment: Payment) => Promise<SubscriptionRow>;

function record(
  ctx: Context,
  input: Input,
  status: Payment['status'],
  apply: Apply,
): Promise<RecordedPayment> {
  return transact.acrossTenants(ctx, async (work) => {
    const subscription = await lockSubscription(ctx, work.db, input.centerId);
    const known = await work.db.payment.findUnique({
      where: { centerId_reference: { centerId: input.centerId, reference: input.reference } },
    });
    if (known) return { payment: sameOrConflict(known, input, status), subscription };
    const payment = await insert(ctx, work, subscription, input, status);
    publishPayment(work, payment);
    return { payment, subscription: await apply(work, subscription, payment) };
  });
}

/** A provider may report a payment repeatedly. It counts once. */
function sameOrConflict(known: Payment, input: Input, status: Payment['status']): Payment {
  if (known.status === status && known.amount === input.amount) return known;
  throw new DomainError('CONFLICT', 'Another payment was recorded under this reference.');
}

function insert(
  ctx: Context,
  { db }: Work,
  subscription: SubscriptionRow,
  input: Input,
  status: Payment['status'],
) {
  const { currency } = subscription.plan;
  if (input.currency && input.currency !== currency) {
    throw validationError([{ path: 'currency', message: `must be ${currency}, the currency of the plan` }]);
  }
  if (input.occurredAt && input.occurredAt > ctx.now) {
    throw validationError([{ path: 'occurredAt', message: 'must not lie in the future' }]);
  }
  const event = status === 'COMPLETED' ? 'payment_completed' : 'payment_failed';
  if (!statusAfter(subscription.status, event)) {
    throw new DomainError('CONFLICT', `A ${subscription.status} subscription takes no payments.`);
  }
  return db.payment.create({
    data: {
      id: newId('pay'),
      centerId: subscription.centerId,
      subscriptionId: subscription.id,
      status,
      amount: input.amount,
      currency,
      reference: input.reference,
      failureReason: input.reason ?? null,
      occurredAt: input.occurredAt ?? ctx.now,
      createdAt: ctx.now,
    },
  });
}

const dataOf = ({ id, subscriptionId, reference, amount, currency, occurredAt }: Payment) => ({
  paymentId: id,
  subscriptionId,
  reference,
  amount,
  currency,
  occurredAt: occurredAt.toISOString(),
});
