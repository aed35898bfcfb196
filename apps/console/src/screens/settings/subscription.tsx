import { Progress } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { money } from '../../text/format.ts';
import { count, stateOf, subscriptionStates } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { FeatureList } from '../../ui/feature-list.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { SubscriptionFields, subscriptionFacts } from '../centers/subscription-facts.tsx';
import classes from './subscription.module.css';

const SubscriptionNow = graphql(
  `
    query SubscriptionNow {
      centerSubscription { ...SubscriptionFields }
      plans(kind: CENTER) { id name priceMonthly currency seatLimit includes { id name } }
    }
  `,
  [SubscriptionFields],
);

export default function SubscriptionScreen() {
  const read = useRead(SubscriptionNow, {});
  useAuditEvents('any', read.reload);
  return (
    <Page title="Subscription" intro="Plan and usage of the center.">
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[5, 10, 8]} />}>
        {({ centerSubscription: now, plans }) => (
          <>
            <Panel title={now.planName} actions={<StatePill of={stateOf(subscriptionStates, now.status)} />}>
              <Facts
                wide
                of={subscriptionFacts(now, {
                  Paid: now.billingCycle === 'MONTHLY' ? 'Every month' : 'Every year',
                })}
              />
              <div className={classes.seats}>
                <p>
                  {now.seatUsed} of {count(now.seatLimit, 'seat')} in use
                </p>
                <Progress
                  value={(now.seatUsed / now.seatLimit) * 100}
                  aria-label="Seats in use"
                  color={now.seatUsed >= now.seatLimit ? 'red' : 'seal'}
                />
              </div>
            </Panel>
            <Panel title="Features" hint="What this center can use.">
              <FeatureList features={now.features} />
            </Panel>
            <Panel title="Plans" hint="To change the plan, contact the partner of your center.">
              <ul className={classes.plans}>
                {plans.map(({ id, name, priceMonthly, currency, seatLimit, includes }) => (
                  <li key={id} data-current={id === now.planId || undefined}>
                    <p className={classes.name}>
                      {name} {id === now.planId && <Pill tone="good">Yours</Pill>}
                    </p>
                    <p className={classes.price}>
                      {money(priceMonthly, currency)} <span>a month</span>
                    </p>
                    <p className={classes.seatLine}>Up to {count(seatLimit, 'member')}</p>
                    <ul>
                      {includes.map((feature) => (
                        <li key={feature.id}>{feature.name}</li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ul>
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}
