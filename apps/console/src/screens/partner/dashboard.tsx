import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { useSession } from '../../session/session-context.ts';
import { money } from '../../text/format.ts';
import { count } from '../../text/labels.ts';
import { dayOfMonth, monthName } from '../../text/time.ts';
import { Bars } from '../../ui/chart.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChartSkeleton, TilesSkeleton } from '../../ui/skeletons.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Tile, Tiles } from '../../ui/tiles.tsx';
import { PendingMembers } from '../people/pending-members.tsx';
import classes from './partner.module.css';

const Dashboard = graphql(`
  query PartnerDashboard {
    partnerDashboard {
      totalCenters
      totalMembers
      activeToday
      revenue { currency monthToDate lastMonth recurringMonthly }
    }
    partnerRevenueByMonth(months: 12) { month amount currency }
    partnerActivityByDay(days: 30) { day activePeople }
    partnerMembers(first: 10, status: PENDING) {
      edges { node { id name email role centerName centerVertical invitedAt } }
    }
  }
`);

/** The state of the partner's business. */
export default function PartnerDashboardScreen() {
  const { me } = useSession();
  const read = useRead(Dashboard, {});
  useBusiness(['done', 'paid'], read.reload);
  return (
    <Page title={me.partner?.name ?? 'Partner'} intro="Your centers, their members and revenue.">
      <Loaded
        of={read}
        skeleton={
          <>
            <TilesSkeleton count={4} />
            <div className={classes.halves}>
              <Panel title="Payments per month">
                <ChartSkeleton height={240} />
              </Panel>
              <Panel title="People per day">
                <ChartSkeleton height={240} />
              </Panel>
            </div>
          </>
        }
      >
        {({ partnerDashboard, partnerRevenueByMonth, partnerActivityByDay, partnerMembers }) => {
          const { totalCenters, totalMembers, activeToday, revenue } = partnerDashboard;
          const amount = (value: number) => money(value, revenue.currency);
          const received = partnerRevenueByMonth.reduce((sum, each) => sum + each.amount, 0);
          const busiest = Math.max(0, ...partnerActivityByDay.map(({ activePeople }) => activePeople));
          return (
            <>
              <PendingMembers
                members={partnerMembers.edges.map(({ node }) => node)}
                hint="They have accepted an invitation to one of your centers."
                onDone={read.reload}
              />
              <Tiles>
                <Tile label="Centers" value={totalCenters.toLocaleString()} to="/partner/centers" />
                <Tile label="Active members" value={totalMembers.toLocaleString()} to="/partner/members" />
                <Tile label="Active people today" value={activeToday.toLocaleString()} hint="In UTC" />
                <Tile
                  label="Received this month"
                  value={amount(revenue.monthToDate)}
                  hint={`${amount(revenue.lastMonth)} last month, ${amount(revenue.recurringMonthly)} recurring`}
                  to="/partner/payments"
                />
              </Tiles>
              <div className={classes.halves}>
                <Panel title="Payments per month">
                  <Bars
                    label="Payments received per month"
                    data={partnerRevenueByMonth.map((each) => ({
                      month: monthName(each.month),
                      amount: each.amount,
                    }))}
                    dataKey="month"
                    empty={
                      <>
                        <strong>No payments in the last twelve months</strong>
                        <span>Record a payment under Payments when a center has paid.</span>
                      </>
                    }
                    format={amount}
                    series={[
                      {
                        name: 'amount',
                        label: 'Received in twelve months',
                        color: 'var(--cs-brand)',
                        total: amount(received),
                      },
                    ]}
                  />
                </Panel>
                <Panel title="People per day">
                  <Bars
                    label="Active people per day"
                    data={partnerActivityByDay.map(({ day, activePeople }) => ({
                      day: dayOfMonth(day),
                      activePeople,
                    }))}
                    dataKey="day"
                    empty={
                      <>
                        <strong>No one has signed in for 30 days</strong>
                        <span>People count on each day on which they use one of your centers.</span>
                      </>
                    }
                    series={[
                      {
                        name: 'activePeople',
                        label: 'Maximum in 30 days',
                        color: 'var(--cs-info)',
                        total: count(busiest, 'person', 'people'),
                      },
                    ]}
                  />
                </Panel>
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
