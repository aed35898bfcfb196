import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count, stateOf, subscriptionStates, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { Facts } from '../../ui/facts.tsx';
import { FeatureList } from '../../ui/feature-list.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { CenterState, StatePill } from '../../ui/state-pill.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { ChangePlanDialog } from './change-plan.tsx';
import { type Center, CenterPlan, ManagedCenter } from './managed-center.ts';
import { type Subscription, subscriptionFacts } from './subscription-facts.tsx';

interface CenterDetailProps {
  id: number;
  back: ReactNode;
  /** Facts that only this screen shows. */
  more?: (center: Center) => Record<string, ReactNode>;
}

/** A center as its partner and the platform see it: master data, plan and features, never its records. */
export function CenterDetail({ id, back, more }: CenterDetailProps) {
  const read = useRead(ManagedCenter, { id });
  useBusiness(['done', 'centers'], read.reload);
  return (
    <Loaded of={read} page="Center" skeleton={<PanelsSkeleton lines={[6, 4]} />}>
      {({ managedCenter: center }) => (
        <Page
          title={center.name}
          badge={<CenterState status={center.status} />}
          back={back}
          intro={center.description || undefined}
        >
          <Panel title="Center">
            <Facts
              wide
              of={{
                Address: center.centerDomain,
                'Custom domain': center.customDomain,
                Vertical: verticalLabels[center.vertical],
                Kind: tenantLabels[center.tenantType],
                Members: center.memberCount.toLocaleString(),
                Since: <Day at={center.createdAt} />,
                ...more?.(center),
              }}
            />
          </Panel>
          <PlanOf center={center} />
        </Page>
      )}
    </Loaded>
  );
}

function PlanOf({ center }: { center: Center }) {
  const read = useRead(CenterPlan, { id: center.id });
  useBusiness(['done'], read.reload);
  if (read.failure?.code === 'NOT_FOUND') {
    return <Panel title="Plan">This center has no subscription.</Panel>;
  }
  return (
    <Loaded of={read} skeleton={<Lines count={6} />}>
      {({ subscriptionOf }) => (
        <SubscriptionPanels center={center} subscription={subscriptionOf} onDone={read.reload} />
      )}
    </Loaded>
  );
}

interface SubscriptionPanelsProps {
  center: Center;
  subscription: Subscription;
  onDone: () => void;
}

function SubscriptionPanels({ center, subscription: now, onDone }: SubscriptionPanelsProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Panel
        title={`${now.planName} plan`}
        actions={
          <>
            <StatePill of={stateOf(subscriptionStates, now.status)} />
            {center.status !== 'INACTIVE' && (
              <Button variant="default" size="xs" onClick={open}>
                Change plan
              </Button>
            )}
          </>
        }
      >
        <Facts
          wide
          of={subscriptionFacts(now, { Seats: `${now.seatUsed} of ${count(now.seatLimit, 'seat')} in use` })}
        />
      </Panel>
      <Panel title="Features">
        <FeatureList features={now.features} />
      </Panel>
      <ChangePlanDialog
        key={now.planId}
        center={center}
        subscription={now}
        opened={opened}
        onClose={close}
        onDone={onDone}
      />
    </>
  );
}
