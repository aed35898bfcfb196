import { type PageInfoShape, resolveCursorConnection } from '@pothos/plugin-relay';
import { DomainError } from '../../lib/errors.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import { queryLimits } from '../query-limits.ts';

interface ConnectionArguments {
  first?: number | null;
  last?: number | null;
  before?: string | null;
  after?: string | null;
}

interface Source<Row, Key> {
  args: ConnectionArguments;
  /** The cursor of an item. */
  toCursor(row: NoInfer<Row>): string;
  /** What a cursor says; null when it is none. */
  fromCursor(cursor: string): Key | null;
  load(window: CursorWindow<Key>): Promise<Row[]>;
}

interface Connection<Row> {
  pageInfo: PageInfoShape;
  edges: { cursor: string; node: Row }[];
}

/** As connectionById, for lists whose order is not that of prefixed ids: every page is one stretch of an index. */
export async function connectionOf<Row, Key>({
  args,
  toCursor,
  fromCursor,
  load,
}: Source<Row, Key>): Promise<Connection<Row>> {
  const key = (cursor: string | undefined): Key | undefined => {
    if (cursor === undefined) return undefined;
    const known = fromCursor(cursor);
    if (known === null) throw new DomainError('VALIDATION_ERROR', 'This cursor is not from this list.');
    return known;
  };
  const connection = await resolveCursorConnection(
    {
      args,
      defaultSize: queryLimits.defaultPageSize,
      maxSize: queryLimits.pageSize,
      toCursor: (row) => toCursor(row as Row),
    },
    ({ before, after, limit, inverted }): Promise<Row[]> =>
      load({ limit, after: key(after), before: key(before), inverted }),
  );
  // The plugin's own types lose the row on the way.
  return connection as Connection<Row>;
}

const CENTER_ID = /^\d{1,9}$/;
const MOMENT_AND_ID = /^(\d{13})_([a-z]{3}_[0-9a-z]{26})$/;

/** The cursors of lists of centers, in the order of their numbers. */
export const byCenterId = {
  toCursor: ({ id }: { id: number }) => String(id),
  fromCursor: (cursor: string) => (CENTER_ID.test(cursor) ? Number(cursor) : null),
};

/** The cursors of lists in the order of time. */
export const byMoment = {
  toCursor: ({ occurredAt, id }: { occurredAt: Date; id: string }) => `${occurredAt.getTime()}_${id}`,
  fromCursor: (cursor: string) => {
    const [, moment, id] = MOMENT_AND_ID.exec(cursor) ?? [];
    return moment && id ? { occurredAt: new Date(Number(moment)), id } : null;
  },
};
