import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  type DefaultConnectionArguments,
  type PageInfoShape,
  resolveCursorConnection,
} from '@pothos/plugin-relay';
import { type GraphQLResolveInfo, Kind } from 'graphql';
import type { RequestContext } from '../api/request-context.ts';
import { validationError } from '../lib/errors.ts';
import type { IdPrefix } from '../lib/ids.ts';
import type { CursorWindow } from '../lib/paging.ts';
import { queryLimits } from './query-limits.ts';

/** How the cursors of a list identify its rows. */
interface Cursors<Row, Key> {
  toCursor(row: NoInfer<Row>): string;
  /** The key in a cursor; null if the cursor does not belong to this list. */
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

/** A Relay connection over rows that are loaded page by page. All lists with cursors are built here. */
export async function connectionOf<Row, Key>({
  args,
  toCursor,
  fromCursor,
  load,
}: Source<Row, Key>): Promise<Connection<Row>> {
  const keys: { after?: Key; before?: Key } = {};
  for (const name of ['after', 'before'] as const) {
    const cursor = args[name];
    if (cursor == null) continue;
    const key = fromCursor(cursor);
    if (key === null) {
      throw validationError([{ path: name, message: 'is not a valid cursor for this list' }]);
    }
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
  // The plugin's types lose the row type.
  return connection as Connection<Row>;
}

/** The same for rows ordered by their sortable ids with a common prefix. */
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

/** The arguments of a resolver. */
interface Call {
  args: DefaultConnectionArguments;
  ctx: RequestContext;
  info: GraphQLResolveInfo;
}

/** The same for rows read by Prisma: `query` includes what the selected fields of the nodes need. */
export function rowsById<Row extends { id: string }>(
  prefix: IdPrefix,
  { args, ctx, info }: Call,
  load: (window: CursorWindow, query: object) => Promise<Row[]>,
): Promise<Connection<Row>> {
  return connectionById(prefix, args, async (window) =>
    selectsRows(info) ? load(window, nodeQuery(ctx, info)) : [],
  );
}

export const nodeQuery = (context: RequestContext, info: GraphQLResolveInfo): object =>
  queryFromInfo({ context, info, paths: [['edges', 'node']] });

/** A query for the total alone reads no rows. */
export function selectsRows({ fieldNodes }: GraphQLResolveInfo): boolean {
  const selections = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  return selections.some(
    (each) => each.kind !== Kind.FIELD || !['totalCount', '__typename'].includes(each.name.value),
  );
}

/** Whether a text can be an id of this type. */
const isIdOf = (prefix: IdPrefix, text: string) => new RegExp(`^${prefix}_[\\w-]{1,60}$`).test(text);

const NUMBER = /^(0|[1-9]\d{0,8})$/;
const MOMENT_AND_ID = /^(\d{13})_([a-z]{3}_[0-9a-z]{26,27})$/;

/** Cursors of lists of centers, ordered by number. */
export const byCenterId = {
  toCursor: ({ id }: { id: number }) => String(id),
  fromCursor: (cursor: string) => (NUMBER.test(cursor) && cursor !== '0' ? Number(cursor) : null),
};

/** Cursors of lists ordered by time. */
export const byOccurredAt = (prefix: IdPrefix) => ({
  toCursor: ({ occurredAt, id }: { occurredAt: Date; id: string }) => `${occurredAt.getTime()}_${id}`,
  fromCursor: (cursor: string) => {
    const [, moment, id] = MOMENT_AND_ID.exec(cursor) ?? [];
    return moment && id && isIdOf(prefix, id) ? { occurredAt: new Date(Number(moment)), id } : null;
  },
});

/** Cursors of lists ordered by a number. They begin with the name of the list or the id of its owner. */
export const byNumber = <Row>(list: string, numberOf: (row: Row) => number) => ({
  toCursor: (row: Row) => `${list}:${numberOf(row)}`,
  fromCursor: (cursor: string) => {
    const number = cursor.startsWith(`${list}:`) ? cursor.slice(list.length + 1) : '';
    return NUMBER.test(number) ? Number(number) : null;
  },
});

/** Cursors of one owner's list, ordered by ids that other owners can have too. */
export const byOwnersId = <Row>(owner: string, prefix: IdPrefix, idOf: (row: Row) => string) => ({
  toCursor: (row: Row) => `${owner}:${idOf(row)}`,
  fromCursor: (cursor: string) => {
    const id = cursor.startsWith(`${owner}:`) ? cursor.slice(owner.length + 1) : '';
    return isIdOf(prefix, id) ? id : null;
  },
});
