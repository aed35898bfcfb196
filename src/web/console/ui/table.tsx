import { memo, type ReactNode, useMemo } from 'react';
import type { Column } from './column.ts';
import { CsvButton } from './csv-button.tsx';
import classes from './table.module.css';
import { useRowKeys } from './use-row-keys.ts';

export type { Column } from './column.ts';

export interface TableProps<Row> {
  /** The accessible name. */
  label: string;
  /** Memoize them (useMemo): then rows that did not change are not rendered again. */
  columns: readonly Column<Row>[];
  rows: Row[];
  /** A cell with state needs this key, because elements of rows are reused for other rows. */
  keyOf: (row: Row) => string;
  /** The first cell holds a link that covers the whole row. */
  linked?: boolean;
  isSelected?: (row: Row) => boolean;
  /** Offers the rows, which are the whole list, as CSV. */
  exportable?: boolean;
}

/** Rows and columns. On a phone each row is a card, so that nothing scrolls sideways. */
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
