import { Progress } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { stateOf, subscriptionStates } from '../../text/labels.ts';
import { Panel } from '../../ui/panel.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import classes from './overview.module.css';

const PlanNow = graphql(`
  query PlanNow { centerSubscription { status planName seatUsed seatLimit currentPeriodEnd } }
`);

export function Plan() {
  const read = useRead(PlanNow, {});
  useAuditEvents('membership.moved', read.reload);
  return (
    <Panel title="Plan and seats">
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ centerSubscription: { status, planName, seatUsed, seatLimit, currentPeriodEnd } }) => (
          <>
            <p style={{ margin: '0 0 10px', display: 'flex', gap: 10, alignItems: 'center' }}>
              <strong>{planName}</strong> <StatePill of={stateOf(subscriptionStates, status)} />
            </p>
            <Progress
              value={(seatUsed / seatLimit) * 100}
              color={seatUsed >= seatLimit ? 'red' : 'seal'}
              aria-label="Seats in use"
            />
            <p className={classes.hint} style={{ margin: '8px 0 0' }}>
              {seatUsed} of {seatLimit} seats in use. {status === 'TRIAL' ? 'Trial ends' : 'Paid until'}{' '}
              <Day at={currentPeriodEnd} />.
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
