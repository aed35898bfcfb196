import { Button } from '@mantine/core';
import { memo, type ReactNode, useMemo, useState } from 'react';
import type { Column } from './column.ts';
import { CsvButton } from './csv-button.tsx';
import { RowLink } from './link.tsx';
import { RowMenu, RowMenuButton } from './row-menu.tsx';
import classes from './table.module.css';

export type { Column } from './column.ts';

export interface TableProps<Row> {
  /** The accessible name. */
  label: string;
  /** Memoize them (useMemo): then rows that did not change are not rendered again. */
  columns: readonly Column<Row>[];
  rows: Row[];
  /** By default its id. A cell with state needs this key, because elements of rows are reused for other rows. */
  keyOf?: (row: Row) => string;
  /** The first cell holds a link that covers the whole row. */
  linked?: boolean;
  isSelected?: (row: Row) => boolean;
  /** The menu items of a row; its cells hold a RowMenuButton. */
  menu?: (row: Row) => ReactNode;
  /** Offers the rows, which are the whole list, as CSV. */
  exportable?: boolean;
}

/** Rows and columns. On a phone each row is a card, so that nothing scrolls sideways. */
export function Table<Row>({ exportable, menu, ...props }: TableProps<Row>) {
  const { label, columns, rows, keyOf = idOf } = props;
  const items = (key: string) => {
    const row = rows.find((each) => keyOf(each) === key);
    return row && menu?.(row);
  };
  return (
    <>
      {menu ? (
        <RowMenu items={items}>
          <Rows {...props} />
        </RowMenu>
      ) : (
        <Rows {...props} />
      )}
      {exportable && (
        <div className={classes.foot}>
          <CsvButton label={label} columns={columns} load={() => Promise.resolve(rows)} />
        </div>
      )}
    </>
  );
}

const idOf = <Row,>(row: Row) => String((row as { id: string | number }).id);

/** The last column of rows with buttons. */
export const actionsColumn = <Row,>(cell: (row: Row) => ReactNode): Column<Row> => ({
  name: 'Actions',
  unnamed: true,
  right: true,
  cell,
});

/** The last column of rows with a menu. */
export const menuColumn = <Row extends { id: string | number; name: string }>(
  hasMenu: (row: Row) => boolean = () => true,
) =>
  actionsColumn<Row>(
    (row) => hasMenu(row) && <RowMenuButton row={String(row.id)} label={`Actions for ${row.name}`} />,
  );

function Rows<Row>({ label, columns: all, rows, keyOf = idOf, linked, isSelected }: TableProps<Row>) {
  const keys = useRowKeys(rows.map(keyOf));
  const columns = useMemo(() => all.filter(({ fileOnly }) => !fileOnly), [all]);
  const isFixed = columns.some(({ width }) => width !== undefined);
  return (
    <table
      className={classes.table}
      aria-label={label}
      data-linked={linked || undefined}
      data-fixed={isFixed || undefined}
    >
      {isFixed && (
        <colgroup>
          {columns.map(({ name, width }) => (
            <col key={name} style={width === undefined ? undefined : { width: `${width}%` }} />
          ))}
        </colgroup>
      )}
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
      {columns.map((column) => (
        <td
          key={column.name}
          data-name={column.unnamed ? undefined : column.name}
          data-right={column.right || undefined}
          data-wide-only={column.wideOnly || undefined}
        >
          {contentOf(column, row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

function contentOf<Row>({ name, cell, text, href, below, button }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  if (button) {
    const { about, onClick, isShown } = button;
    if (isShown && !isShown(row)) return null;
    return (
      <Button size="compact-xs" variant="subtle" color="red" onClick={() => onClick(row)}>
        {name}
        <span className="visually-hidden"> {about(row)}</span>
      </Button>
    );
  }
  const line = below?.(row);
  return (
    <>
      {href ? <RowLink href={href(row)}>{text?.(row)}</RowLink> : <strong>{text?.(row)}</strong>}
      {line && <span className="subline">{line}</span>}
    </>
  );
}

interface Keyed {
  ids: readonly string[];
  keys: readonly string[];
  /** The number of keys created so far. */
  created: number;
}

const none: Keyed = { ids: [], keys: [], created: 0 };

/**
 * React keys for the rows of a table. A row that stays keeps its key, and with it its focus and state. When most rows are
 * replaced, as on the next page, the new rows reuse the old keys: updating texts is much faster than creating elements.
 */
function useRowKeys(ids: readonly string[]): readonly string[] {
  const [known, setKnown] = useState(none);
  if (isSameList(known.ids, ids)) return known.keys;
  const next = keysFor(known, ids);
  setKnown(next);
  return next.keys;
}

function keysFor(before: Keyed, ids: readonly string[]): Keyed {
  let { created } = before;
  const fresh = () => `row ${created++}`;
  const known = new Map(before.ids.map((id, i) => [id, before.keys[i]!]));
  const others = ids.filter((id) => !known.has(id)).length;
  const turned = others > ids.length / 2;
  const keys = ids.map((id, i) => (turned ? before.keys[i] : known.get(id)) ?? fresh());
  return { ids, keys, created };
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, i) => id === other[i]);
