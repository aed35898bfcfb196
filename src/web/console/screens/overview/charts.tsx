import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useDecisionsHappen } from '../../app/live-center.tsx';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { count } from '../../words/labels.ts';
import classes from './overview.module.css';

const Days = graphql(`
  query Days($from: Date!, $to: Date!) {
    decisionsByDay(from: $from, to: $to) { day recorded approved sealed rejected }
  }
`);

const dayAt = (daysAgo: number) =>
  new Intl.DateTimeFormat('sv').format(new Date(Date.now() - daysAgo * 86_400_000));
const short = (day: string) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  );

const series = [
  { name: 'sealed', label: 'Sealed', color: 'var(--cs-good)' },
  { name: 'waiting', label: 'Waiting', color: 'var(--cs-warn)' },
  { name: 'rejected', label: 'Rejected', color: 'var(--cs-bad)' },
];

/** Decisions over time, by what has become of them. */
export function Charts() {
  const [days, setDays] = useState('30');
  const read = useRead(Days, { from: dayAt(Number(days) - 1), to: dayAt(0) });
  useDecisionsHappen(read.reload);
  return (
    <Panel
      title="Decisions"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="How far back"
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
      <Loaded of={read} skeleton={<Lines count={8} />} small>
        {({ decisionsByDay }) => {
          const data = decisionsByDay.map(({ day, recorded, approved, sealed, rejected }) => ({
            day: short(day),
            sealed,
            waiting: recorded + approved,
            rejected,
          }));
          const total = (name: 'sealed' | 'waiting' | 'rejected') =>
            data.reduce((sum, each) => sum + each[name], 0);
          return (
            <figure aria-label="Decisions by day" style={{ margin: 0 }}>
              <div aria-hidden="true">
                <BarChart
                  className={classes.chart!}
                  h={260}
                  data={data}
                  dataKey="day"
                  type="stacked"
                  series={series}
                  gridAxis="x"
                  yAxisProps={{ allowDecimals: false, width: 36 }}
                  barChartProps={{ accessibilityLayer: false }}
                  tickLine="none"
                  withTooltip
                  tooltipAnimationDuration={0}
                  barProps={{ isAnimationActive: false }}
                />
              </div>
              <ul className={classes.legend}>
                {series.map(({ name, label, color }) => (
                  <li key={name}>
                    <span style={{ background: color }} aria-hidden="true" />
                    {label}: {count(total(name as 'sealed'), 'decision')}
                  </li>
                ))}
              </ul>
            </figure>
          );
        }}
      </Loaded>
    </Panel>
  );
}
