import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useDecisionChanges } from '../../session/live-center.tsx';
import { count } from '../../text/labels.ts';
import { dayOfMonth, wallTimeIn } from '../../text/time.ts';
import { Bars } from '../../ui/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useTimes } from '../../ui/zone.tsx';

const Days = graphql(`
  query Days($from: Date!, $to: Date!) {
    decisionsByDay(from: $from, to: $to) { day recorded approved sealed rejected }
  }
`);

/** The service counts by the days of the center's zone. */
const dayAt = (zone: string, daysAgo: number) =>
  wallTimeIn(zone, new Date(Date.now() - daysAgo * 86_400_000)).slice(0, 10);
const series = [
  { name: 'sealed', label: 'Sealed', color: 'var(--cs-good)' },
  { name: 'waiting', label: 'Waiting', color: 'var(--cs-warn)' },
  { name: 'rejected', label: 'Rejected', color: 'var(--cs-bad)' },
] as const;

/** Decisions per day, by status. */
export function Charts() {
  const { zone } = useTimes();
  const [days, setDays] = useState('30');
  const read = useRead(Days, { from: dayAt(zone, Number(days) - 1), to: dayAt(zone, 0) });
  useDecisionChanges(read.reload);
  return (
    <Panel
      title="Decisions"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={days}
          onChange={setDays}
          data={[
            { value: '7', label: '7 days' },
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
        />
      }
    >
      <Loaded of={read} skeleton={<ChartSkeleton height={260} />} small>
        {({ decisionsByDay }) => {
          const data = decisionsByDay.map(({ day, recorded, approved, sealed, rejected }) => ({
            day: dayOfMonth(day),
            sealed,
            waiting: recorded + approved,
            rejected,
          }));
          const total = (name: 'sealed' | 'waiting' | 'rejected') =>
            data.reduce((sum, each) => sum + each[name], 0);
          return (
            <Bars
              label="Decisions per day"
              height={260}
              data={data}
              dataKey="day"
              empty={
                <>
                  <strong>No decisions in the last {days} days</strong>
                  <span>
                    Decisions appear here as soon as an agent, a workflow or a person records them.{' '}
                    {days !== '90' && 'Choose a longer period to see older ones.'}
                  </span>
                </>
              }
              series={series.map((each) => ({ ...each, total: count(total(each.name), 'decision') }))}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
