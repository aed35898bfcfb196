import type { CursorWindow } from '../lib/paging.ts';
import type { Queryable } from './sql.ts';

/** Rows that belong to an owner and are listed along an index on the owner and a key. All names are columns. */
export interface OwnedRows {
  table: string;
  owner: string;
  key: string;
  order: 'ASC' | 'DESC';
  /** What they must fulfil to be listed, as SQL about `r`; its values are $2 and so on. */
  where?: string;
}

/**
 * The keys of a page of each of many owners, in the order of the list. One statement, which stops at the end of each page:
 * Prisma's relations read all that the owners have and cut the pages out afterwards.
 */
export async function pageKeys<Key>(
  db: Queryable,
  { table, owner, key, order, where = 'true' }: OwnedRows,
  owners: readonly string[],
  { after, before, limit, inverted }: CursorWindow<Key>,
  values: readonly unknown[] = [],
): Promise<Map<string, Key[]>> {
  const bounds: string[] = [];
  const all: unknown[] = [owners, ...values];
  const [later, earlier] = order === 'ASC' ? ['>', '<'] : ['<', '>'];
  if (after !== undefined) bounds.push(`AND r.${key} ${later} $${all.push(after)}`);
  if (before !== undefined) bounds.push(`AND r.${key} ${earlier} $${all.push(before)}`);
  const opposite = order === 'ASC' ? 'DESC' : 'ASC';
  const { rows } = await db.query<{ owner: string; key: Key }>({
    text: `SELECT o.id AS owner, page.key FROM unnest($1::text[]) AS o(id) CROSS JOIN LATERAL (
             SELECT r.${key} AS key FROM ${table} r WHERE r.${owner} = o.id AND ${where} ${bounds.join(' ')}
             ORDER BY r.${key} ${inverted ? opposite : order} LIMIT $${all.push(limit)}::int
           ) page ORDER BY page.key ${order}`,
    values: all,
  });
  const pages = Map.groupBy(rows, (row) => row.owner);
  return new Map([...pages].map(([id, page]) => [id, page.map((row) => row.key)]));
}
