import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import classes from './chart.module.css';

interface BarsProps {
  /** The accessible name. */
  label: string;
  data: Record<string, string | number>[];
  dataKey: string;
  series: { name: string; label: string; color: string; total: string }[];
  /** Formats the numbers on the axis and in the tooltip. */
  format?: (value: number) => string;
  height?: number;
  /** Shown instead of bars if every value is zero. */
  empty: ReactNode;
}

/** Bars over time. The totals are also in the legend, as text. */
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
