// The states of a subscription as a table.
//
// - A completed payment makes TRIAL and PAST_DUE active and extends the period. It does not lift a suspension, which an
//   operator imposed for other reasons, but the paid time still counts.
// - A terminal failure makes ACTIVE past due. A trial continues until it lapses, regardless of failed payments.
// - A suspended subscription is reinstated as ACTIVE during a paid period, otherwise as PAST_DUE: a suspended trial does
//   not return as a paid subscription.
// - CANCELED accepts no payments. A center has one subscription, so it is resumed rather than replaced. It becomes
//   PAST_DUE, and the next payment makes it active.

export type SubscriptionStatus = 'ACTIVE' | 'TRIAL' | 'PAST_DUE' | 'CANCELED' | 'SUSPENDED';
export type BillingCycle = 'MONTHLY' | 'YEARLY';
export type SubscriptionEvent =
  | 'payment_completed'
  | 'payment_failed'
  | 'trial_lapsed'
  | 'suspended'
  | 'reinstated_paid'
  | 'reinstated_unpaid'
  | 'canceled'
  | 'resumed';

type Row = Readonly<Partial<Record<SubscriptionStatus, SubscriptionStatus>>>;

export const TRANSITIONS: Readonly<Record<SubscriptionEvent, Row>> = {
  payment_completed: { TRIAL: 'ACTIVE', ACTIVE: 'ACTIVE', PAST_DUE: 'ACTIVE', SUSPENDED: 'SUSPENDED' },
  payment_failed: { TRIAL: 'TRIAL', ACTIVE: 'PAST_DUE', PAST_DUE: 'PAST_DUE', SUSPENDED: 'SUSPENDED' },
  trial_lapsed: { TRIAL: 'PAST_DUE' },
  suspended: { TRIAL: 'SUSPENDED', ACTIVE: 'SUSPENDED', PAST_DUE: 'SUSPENDED' },
  reinstated_paid: { SUSPENDED: 'ACTIVE' },
  reinstated_unpaid: { SUSPENDED: 'PAST_DUE' },
  canceled: { TRIAL: 'CANCELED', ACTIVE: 'CANCELED', PAST_DUE: 'CANCELED', SUSPENDED: 'CANCELED' },
  resumed: { CANCELED: 'PAST_DUE' },
};

/** The status after the event, or null if the event is not allowed in that status. */
export function statusAfter(from: SubscriptionStatus, event: SubscriptionEvent): SubscriptionStatus | null {
  return TRANSITIONS[event][from] ?? null;
}

/** How a suspended subscription is reinstated; paidUntil is null if it was never paid for. */
export function reinstatement(paidUntil: Date | null, now: Date): SubscriptionEvent {
  return paidUntil && paidUntil > now ? 'reinstated_paid' : 'reinstated_unpaid';
}

/**
 * The end of a period that begins at start, in UTC. A day that the month does not have becomes its last one. anchorDay is the
 * day of the first period, which keeps a subscription of the 31st from sliding to the 28th.
 */
export function periodAfter(start: Date, cycle: BillingCycle, anchorDay = start.getUTCDate()): Date {
  const month = start.getUTCMonth() + (cycle === 'MONTHLY' ? 1 : 12);
  const end = new Date(start);
  // Day 0 of a month is the last day of the previous one.
  const lastDay = new Date(start);
  lastDay.setUTCFullYear(start.getUTCFullYear(), month + 1, 0);
  end.setUTCFullYear(start.getUTCFullYear(), month, Math.min(anchorDay, lastDay.getUTCDate()));
  return end;
}
