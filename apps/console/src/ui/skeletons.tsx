import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import { Panel } from './panel.tsx';
import classes from './skeletons.module.css';
import table from './table.module.css';
import { Tile, Tiles } from './tiles.tsx';
import { useTimes } from './zone.tsx';

// Placeholders with the layout of the real content, so that nothing moves when the data arrive.

const times = <Item,>(count: number, make: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Widths that look like text and stay the same from one render to the next. */
const widthOf = (i: number) => `${88 - ((i * 23) % 38)}%`;

const Loading = ({ children }: { children: ReactNode }) => (
  <div role="status" aria-label="Loading">
    {children}
  </div>
);

interface TableSkeletonProps<Row> {
  columns: readonly Column<Row>[] | number;
  count?: number;
  /** The rows will show times: the page names their zone now, because that line would move the table later. */
  timed?: boolean;
}

function NameZone() {
  useTimes();
  return null;
}

/** The head of a table, with rows of two lines like those of most lists. */
export function TableSkeleton<Row>({ columns, count = 8, timed }: TableSkeletonProps<Row>) {
  const shown =
    typeof columns === 'number' ? times(columns, blankColumn) : columns.filter(({ fileOnly }) => !fileOnly);
  return (
    <Loading>
      {timed && <NameZone />}
      <table className={table.table} aria-hidden="true">
        <thead>
          <tr>
            {shown.map(({ name, right, wideOnly, unnamed }) => (
              <th key={name} data-right={right || undefined} data-wide-only={wideOnly || undefined}>
                {unnamed ? null : name.trim() || <Skeleton height={10} my={5} width={64} radius="sm" />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times(count, (row) => (
            <tr key={row}>
              {shown.map(({ name, right, wideOnly }, i) => (
                <td key={name} data-right={right || undefined} data-wide-only={wideOnly || undefined}>
                  <div className={i === 0 ? classes.first : classes.cell}>
                    <Skeleton height={13} width={i === 0 ? widthOf(row) : 72} radius="sm" />
                    {i === 0 && <Skeleton height={11} width="35%" radius="sm" />}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.foot} />
    </Loading>
  );
}

const blankColumn = (i: number): Pick<Column<never>, 'name' | 'right' | 'wideOnly' | 'unnamed'> => ({
  name: ' '.repeat(i + 1),
});

/** Labels and fields of a form. */
export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <Loading>
      {times(fields, (i) => (
        <div key={i} className={classes.field}>
          <Skeleton height={12} width={96} radius="sm" />
          <Skeleton height={36} radius="md" />
        </div>
      ))}
    </Loading>
  );
}

/** The panels of a page, with as many lines each. */
export function PanelsSkeleton({ lines }: { lines: readonly number[] }) {
  return (
    <>
      {lines.map((count, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
        <Panel key={i} title={<Skeleton height={14} my={4} width={140} radius="sm" />}>
          <Loading>
            {times(count, (line) => (
              <Skeleton key={line} height={13} my={10} width={widthOf(line)} radius="sm" />
            ))}
          </Loading>
        </Panel>
      ))}
    </>
  );
}

const word = (height: number, width: number) => (
  <Skeleton component="span" display="inline-block" height={height} width={width} radius="sm" />
);

/** Tiles of figures. */
export function TilesSkeleton({ count }: { count: number }) {
  return (
    <Loading>
      <Tiles>
        {times(count, (i) => (
          <Tile key={i} label={word(11, 110)} value={word(22, 48)} hint={word(11, 90)} />
        ))}
      </Tiles>
    </Loading>
  );
}

/** A chart with its legend. */
export function ChartSkeleton({ height }: { height: number }) {
  return (
    <Loading>
      <Skeleton height={height} radius="md" />
      <div className={classes.legend} />
    </Loading>
  );
}
