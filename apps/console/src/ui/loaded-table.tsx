import type { ReactNode } from 'react';
import type { Read } from '../graphql/use-read.ts';
import { TableSkeleton } from './skeletons.tsx';
import { Lines, Loaded } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

interface LoadedTableProps<Data, Row> extends Omit<TableProps<Row>, 'rows'> {
  of: Read<Data>;
  rows: (data: Data) => Row[];
  /** Shown without rows. */
  empty: ReactNode;
  /** One of several lists of its page: this many lines are shown while it loads. */
  lines?: number;
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
