import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../api/request-context.ts';
import type { Context } from '../domain/context.ts';
import type { CursorWindow } from '../lib/paging.ts';
import { makeLoader } from './batched-load.ts';
import { nodeQuery } from './connections.ts';

/** How the pages of many owners are read in one batch. */
interface Relation<Row, Key, Filter> {
  /** The keys on each owner's page, in order. */
  keys(
    ctx: Context,
    owners: readonly string[],
    window: CursorWindow<Key>,
    filter: Filter,
  ): Promise<Map<string, Key[]>>;
  /** The rows of these keys, in any order. */
  rows(ctx: Context, selection: object, pages: readonly (readonly [string, Key[]])[]): Promise<Row[]>;
  keyOf(row: Row): Key;
  /** Needed if other owners may have the same keys. */
  ownerOf?(row: Row): string;
}

interface Asked<Key, Filter> {
  owner: string;
  window: CursorWindow<Key>;
  filter: Filter;
}

/**
 * Reads a paged relation in batches: however many objects of a query request it, a few statements read the rows, and only
 * those on the pages.
 */
export function makePageLoader<Row, Key extends string | number, Filter>(
  relation: Relation<Row, Key, Filter>,
) {
  interface Wanted {
    /** At one place in a query, the arguments are the same for every object except for the owner. */
    place: string;
    owner: string;
    window: CursorWindow<Key>;
    selection: object;
    filter: Filter;
  }

  async function load(ctx: Context, wanted: Wanted[]): Promise<Map<Wanted, Row[]>> {
    const found = new Map<Wanted, Row[]>();
    for (const alike of Map.groupBy(wanted, ({ place }) => place).values()) {
      const { window, selection, filter } = alike[0]!;
      const owners = alike.map(({ owner }) => owner);
      const pages = await relation.keys(ctx, owners, window, filter);
      const rows = pages.size > 0 ? await relation.rows(ctx, selection, [...pages]) : [];
      const byOwner = Map.groupBy(rows, (row) => relation.ownerOf?.(row));
      const byKey = new Map(
        [...byOwner].map(([owner, own]) => [owner, new Map(own.map((row) => [relation.keyOf(row), row]))]),
      );
      for (const each of alike) {
        const own = byKey.get(relation.ownerOf && each.owner);
        // Skips rows that were deleted in the meantime.
        const page = (pages.get(each.owner) ?? []).flatMap((key) => own?.get(key) ?? []);
        found.set(each, page);
      }
    }
    return found;
  }

  const loadPage = makeLoader(load);
  return async (ctx: RequestContext, info: GraphQLResolveInfo, asked: Asked<Key, Filter>): Promise<Row[]> => {
    const wanted = { ...asked, place: placeOf(info.path), selection: nodeQuery(ctx, info) };
    const rows = (await loadPage(ctx, wanted)) ?? [];
    return asked.window.inverted ? rows.toReversed() : rows;
  };
}

/** The position of a field in its query. */
function placeOf(path: GraphQLResolveInfo['path'] | undefined): string {
  if (!path) return '';
  return typeof path.key === 'number' ? placeOf(path.prev) : `${placeOf(path.prev)}.${path.key}`;
}
