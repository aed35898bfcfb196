import type { ReactNode } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { money } from '../../text/format.ts';
import { Day } from '../../ui/time.tsx';

export const SubscriptionFields = graphql(`
  fragment SubscriptionFields on CenterSubscription {
    status planId planName billingCycle seatUsed seatLimit currentPeriodEnd
    plan { priceMonthly currency }
    usage { apiKeys decisionRecords webhooks workflows }
    features { id name description enabled neededPlan }
  }
`);

export type Subscription = ResultOf<typeof SubscriptionFields>;

/** Price, period and usage of a subscription, with what only one of the screens shows. */
export const subscriptionFacts = (
  { plan, status, currentPeriodEnd, usage }: Subscription,
  { Paid, Seats }: { Paid?: string; Seats?: string },
): Record<string, ReactNode> => ({
  Price: `${money(plan.priceMonthly, plan.currency)} a month`,
  Paid,
  [status === 'TRIAL' ? 'Trial ends' : 'Paid until']: <Day at={currentPeriodEnd} />,
  Seats,
  Records: usage.decisionRecords.toLocaleString(),
  'API keys': usage.apiKeys,
  Webhooks: usage.webhooks,
  Workflows: usage.workflows,
});
