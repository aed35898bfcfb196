import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import classes from './chart.module.css';

interface BarsProps {
  /** What the chart shows, for those who do not see it. */
  label: string;
  data: Record<string, string | number>[];
  dataKey: string;
  series: { name: string; label: string; color: string; total: string }[];
  /** Figures on the axis and beside the pointer, as people write them. */
  format?: (value: number) => string;
  height?: number;
  /** Shown instead of bars if every value is zero. */
  empty: ReactNode;
}

/** Bars over time. The total is written below, so that the chart is not needed to read it. */
export function Bars({ label, data, dataKey, series, format, height = 240, empty }: BarsProps) {
  if (data.every((row) => series.every(({ name }) => !row[name]))) {
    return (
      <figure aria-label={label} className={classes.figure}>
        <div className={classes.empty} style={{ minHeight: height }}>
          {empty}
        </div>
      </figure>
    );
  }
  return (
    <figure aria-label={label} className={classes.figure}>
      <div aria-hidden="true">
        <BarChart
          h={height}
          data={data}
          dataKey={dataKey}
          type="stacked"
          series={series}
          gridAxis="x"
          yAxisProps={{ allowDecimals: false, width: format ? 64 : 36 }}
          {...(format && { valueFormatter: format })}
          barChartProps={{ accessibilityLayer: false }}
          tickLine="none"
          tooltipAnimationDuration={0}
          barProps={{ isAnimationActive: false }}
        />
      </div>
      <ul className={classes.legend}>
        {series.map(({ name, label: what, color, total }) => (
          <li key={name}>
            <span style={{ background: color }} aria-hidden="true" />
            {what}: {total}
          </li>
        ))}
      </ul>
    </figure>
  );
}
