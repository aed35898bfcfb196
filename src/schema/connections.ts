import {
  type DefaultConnectionArguments,
  type PageInfoShape,
  resolveCursorConnection,
} from '@pothos/plugin-relay';
import { validationError } from '../lib/errors.ts';
import type { IdPrefix } from '../lib/ids.ts';
import type { CursorWindow } from '../lib/paging.ts';
import { CURSOR_ARGUMENTS, isIdOf, noCursor } from './cursors.ts';
import { queryLimits } from './query-limits.ts';

/** How the rows of a list and its cursors belong together. */
interface Cursors<Row, Key> {
  /** The cursor of an item. */
  toCursor(row: NoInfer<Row>): string;
  /** What a cursor says; null when it is none. */
  fromCursor(cursor: string): Key | null;
}

interface Source<Row, Key> extends Cursors<Row, Key> {
  args: DefaultConnectionArguments;
  load(window: CursorWindow<Key>): Promise<Row[]>;
}

interface Connection<Row> {
  pageInfo: PageInfoShape;
  edges: { cursor: string; node: Row }[];
}

/** A Relay connection over rows that a domain function loads window by window: every page is one stretch of an index. */
export async function connectionOf<Row, Key>({
  args,
  toCursor,
  fromCursor,
  load,
}: Source<Row, Key>): Promise<Connection<Row>> {
  const keys: { after?: Key; before?: Key } = {};
  for (const name of CURSOR_ARGUMENTS) {
    const cursor = args[name];
    if (cursor == null) continue;
    const key = fromCursor(cursor);
    if (key === null) throw validationError([noCursor(name)]);
    keys[name] = key;
  }
  const connection = await resolveCursorConnection(
    {
      args,
      defaultSize: queryLimits.defaultPageSize,
      maxSize: queryLimits.pageSize,
      toCursor: (row) => toCursor(row as Row),
    },
    ({ limit, inverted }): Promise<Row[]> => load({ ...keys, limit, inverted }),
  );
  // The plugin's own types lose the row on the way.
  return connection as Connection<Row>;
}

/** The same for rows in the order of their sortable ids, all with one prefix. */
export function connectionById<Row extends { id: string }>(
  prefix: IdPrefix,
  args: DefaultConnectionArguments,
  load: (window: CursorWindow) => Promise<Row[]>,
): Promise<Connection<Row>> {
  return connectionOf({
    args,
    toCursor: ({ id }) => id,
    fromCursor: (cursor) => (isIdOf(prefix, cursor) ? cursor : null),
    load,
  });
}

const CENTER_ID = /^[1-9]\d{0,8}$/;
const MOMENT_AND_ID = /^(\d{13})_([a-z]{3}_[0-9a-z]{26,27})$/;

/** The cursors of lists of centers, in the order of their numbers. */
export const byCenterId = {
  toCursor: ({ id }: { id: number }) => String(id),
  fromCursor: (cursor: string) => (CENTER_ID.test(cursor) ? Number(cursor) : null),
};

/** The cursors of lists in the order of time. */
export const byMoment = (prefix: IdPrefix) => ({
  toCursor: ({ occurredAt, id }: { occurredAt: Date; id: string }) => `${occurredAt.getTime()}_${id}`,
  fromCursor: (cursor: string) => {
    const [, moment, id] = MOMENT_AND_ID.exec(cursor) ?? [];
    return moment && id && isIdOf(prefix, id) ? { occurredAt: new Date(Number(moment)), id } : null;
  },
});
