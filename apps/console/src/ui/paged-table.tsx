import type { ReactNode } from 'react';
import type { Pages, Place } from '../graphql/use-pages.ts';
import { CsvButton } from './csv-button.tsx';
import { type PageInfo, Pager } from './pager.tsx';
import { Panel } from './panel.tsx';
import { TableSkeleton } from './skeletons.tsx';
import { Loaded } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

/** A page of a list. */
interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: PageInfo;
  totalCount?: number | null;
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The title of its panel, on pages with others. */
  title?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** A query with one field, which is the list. */
  of: Pages<Record<string, Connection<Row>>> & { change: (place: Place) => void };
  /** Shown without rows. */
  empty: ReactNode;
  /** The total as text; omit it if the query does not count. */
  words?: (total: number) => string;
  ways?: [back: string, forth: string];
}

const FILE_PAGE = 100;
/** Longer lists are cut off; export them in parts, by filters. */
const MOST_FILE_PAGES = 200;

const listIn = <Row,>(data: Record<string, Connection<Row>>) => Object.values(data)[0]!;

async function allRows<Row>({ fetch }: PagedTableProps<Row>['of']): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_FILE_PAGES; page++) {
    const { edges, pageInfo } = listIn(await fetch(FILE_PAGE, { after }));
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor ?? undefined;
  }
  return rows;
}

/** A panel with a paginated list: rows or an empty state, the total, the export and the pager. */
export function PagedTable<Row>({ title, actions, of, empty, words, ways, ...table }: PagedTableProps<Row>) {
  return (
    <Panel title={title} actions={actions} flush>
      <Loaded of={of} skeleton={<TableSkeleton columns={table.columns} timed />}>
        {(data) => {
          const { edges, pageInfo, totalCount } = listIn(data);
          if (edges.length === 0) return empty;
          return (
            <>
              <Table {...table} rows={edges.map(({ node }) => node)} />
              <Pager
                info={pageInfo}
                {...(words && { words: words(totalCount ?? edges.length) })}
                {...(ways && { ways })}
                more={<CsvButton label={table.label} columns={table.columns} load={() => allRows(of)} />}
                onPage={of.change}
                onIntent={of.prepare}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
