import { type BillingCycle, periodAfter } from './transitions.ts';

interface Period {
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  anchorDay: number | null;
  billingCycle: BillingCycle;
}

/**
 * The period after a payment. Paid time follows the time that is left, also of a trial; when none is left it begins
 * now, and its day becomes the one on which all later periods begin.
 */
export function paidPeriod(subscription: Period, now: Date) {
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
