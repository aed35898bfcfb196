import type { CursorWindow } from '../lib/paging.ts';
import type { Queryable } from './sql.ts';

/** Rows that belong to an owner and are listed by an index on the owner and a key. All names are columns. */
export interface OwnedRows {
  table: string;
  owner: string;
  key: string;
  order: 'ASC' | 'DESC';
  /** The filter for listed rows, as SQL about `r`; its parameters start at $2. */
  where?: string;
}

/**
 * The keys of one page for each of many owners, in list order. One statement, which stops at the end of each page; Prisma's
 * relations would read all rows of the owners and cut the pages afterwards.
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
