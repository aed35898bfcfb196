import { memo, type ReactNode, useMemo } from 'react';
import type { Column } from './column.ts';
import { CsvButton } from './csv-button.tsx';
import classes from './table.module.css';
import { useRowKeys } from './use-row-keys.ts';

export type { Column } from './column.ts';

export interface TableProps<Row> {
  /** What the table holds, for those who do not see it. */
  label: string;
  /** Where they stay the same from one time to the next (useMemo), so do the rows that did not change. */
  columns: readonly Column<Row>[];
  rows: Row[];
  /** Tells rows apart. What a cell remembers by itself needs it as its key: rows are used again for others. */
  keyOf: (row: Row) => string;
  /** The first cell holds a link that covers the whole row. */
  linked?: boolean;
  isSelected?: (row: Row) => boolean;
  /** Whether the rows, which are the whole list, can be saved as a file. */
  exportable?: boolean;
}

/** Rows and columns; on a phone each row is a card, so that nothing has to be scrolled sideways. */
export function Table<Row>({ exportable, ...props }: TableProps<Row>) {
  if (!exportable) return <Rows {...props} />;
  const { label, columns, rows } = props;
  return (
    <>
      <Rows {...props} />
      <div className={classes.foot}>
        <CsvButton label={label} columns={columns} load={() => Promise.resolve(rows)} />
      </div>
    </>
  );
}

function Rows<Row>({ label, columns: all, rows, keyOf, linked, isSelected }: TableProps<Row>) {
  const keys = useRowKeys(rows.map(keyOf));
  const columns = useMemo(() => all.filter(({ fileOnly }) => !fileOnly), [all]);
  return (
    <table className={classes.table} aria-label={label} data-linked={linked || undefined}>
      <thead>
        <tr>
          {columns.map(({ name, right, wideOnly, unnamed }) => (
            <th key={name} scope="col" data-right={right || undefined} data-wide-only={wideOnly || undefined}>
              {unnamed ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <TableRow key={keys[i]} row={row} columns={columns} selected={isSelected?.(row) ?? false} />
        ))}
      </tbody>
    </table>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  selected: boolean;
}

const TableRow = memo(function TableRow<Row>({ row, columns, selected }: TableRowProps<Row>) {
  return (
    <tr data-selected={selected || undefined}>
      {columns.map(({ name, cell, right, wideOnly, unnamed }) => (
        <td
          key={name}
          data-name={unnamed ? undefined : name}
          data-right={right || undefined}
          data-wide-only={wideOnly || undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;
