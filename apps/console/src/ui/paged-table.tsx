import type { ReactNode } from 'react';
import type { Pages, Place } from '../graphql/use-pages.ts';
import { CsvButton } from './csv-button.tsx';
import { type PageInfo, Pager } from './pager.tsx';
import { Panel } from './panel.tsx';
import { TableSkeleton } from './skeletons.tsx';
import { Loaded } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

interface Listed<Row> {
  edges: { node: Row }[];
  pageInfo: PageInfo;
  totalCount?: number | null;
}

interface PagedTableProps<Data, Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The title of its panel, on pages with others. */
  title?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  of: Pages<Data>;
  /** Selects the connection from the data. */
  list: (data: Data) => Listed<Row>;
  /** Shown without rows. */
  empty: ReactNode;
  /** The total as text; omit it if the query does not count. */
  words?: (total: number) => string;
  ways?: [back: string, forth: string];
  onPage: (place: Place) => void;
}

const FILE_PAGE = 100;
/** Longer lists are cut off; export them in parts, by filters. */
const MOST_FILE_PAGES = 200;

async function allRows<Data, Row>({ fetch }: Pages<Data>, list: (data: Data) => Listed<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_FILE_PAGES; page++) {
    const { edges, pageInfo } = list(await fetch(FILE_PAGE, { after }));
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor ?? undefined;
  }
  return rows;
}

/** A panel with a paginated list: rows or an empty state, the total, the export and the pager. */
export function PagedTable<Data, Row>({
  title,
  actions,
  of,
  list,
  empty,
  words,
  ways,
  onPage,
  ...table
}: PagedTableProps<Data, Row>) {
  return (
    <Panel title={title} actions={actions} flush>
      <Loaded of={of} skeleton={<TableSkeleton columns={table.columns} timed />}>
        {(data) => {
          const { edges, pageInfo, totalCount } = list(data);
          if (edges.length === 0) return empty;
          return (
            <>
              <Table {...table} rows={edges.map(({ node }) => node)} />
              <Pager
                info={pageInfo}
                {...(words && { words: words(totalCount ?? edges.length) })}
                {...(ways && { ways })}
                more={
                  <CsvButton label={table.label} columns={table.columns} load={() => allRows(of, list)} />
                }
                onPage={onPage}
                onIntent={of.prepare}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
