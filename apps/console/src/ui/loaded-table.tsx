import type { ReactNode } from 'react';
import type { Read } from '../graphql/use-read.ts';
import { Panel, type PanelProps } from './panel.tsx';
import { TableSkeleton } from './skeletons.tsx';
import { Lines, Loaded } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

interface LoadedTableProps<Data, Row> extends Omit<TableProps<Row>, 'rows'> {
  of: Read<Data>;
  rows: (data: Data) => Row[];
  /** Shown without rows. */
  empty: ReactNode;
  /** One of several lists of its page: this many lines are shown while it loads. */
  lines?: number | undefined;
}

/** A list that is read as a whole. */
export function LoadedTable<Data, Row>({ of, rows, empty, lines, ...table }: LoadedTableProps<Data, Row>) {
  const skeleton = lines ? <Lines count={lines} /> : <TableSkeleton columns={table.columns} count={3} />;
  return (
    <Loaded of={of} skeleton={skeleton} small={lines !== undefined}>
      {(data) => {
        const shown = rows(data);
        return shown.length === 0 ? empty : <Table {...table} rows={shown} />;
      }}
    </Loaded>
  );
}

interface TablePanelProps<Row>
  extends Omit<TableProps<Row>, 'label' | 'rows'>,
    Pick<PanelProps, 'hint' | 'actions' | 'tone'> {
  title?: string;
  /** The query of the rows, if the panel shows its state; its rows are undefined until it has data. */
  of?: Read<unknown>;
  rows: Row[] | undefined;
  /** Shown without rows; by default the head of the table. */
  empty?: ReactNode;
  lines?: number;
  /** The accessible name, by default the title. */
  label?: string;
}

/** A panel with a table. */
export function TablePanel<Row>({
  title,
  hint,
  actions,
  tone,
  of,
  rows = [],
  empty,
  lines,
  label = title ?? '',
  ...table
}: TablePanelProps<Row>) {
  const shown = <Table {...table} label={label} rows={rows} />;
  return (
    <Panel title={title} hint={hint} actions={actions} {...(tone && { tone })} flush>
      {of ? (
        <LoadedTable
          {...table}
          label={label}
          of={of}
          rows={() => rows}
          empty={empty ?? shown}
          lines={lines}
        />
      ) : rows.length === 0 && empty ? (
        empty
      ) : (
        shown
      )}
    </Panel>
  );
}
