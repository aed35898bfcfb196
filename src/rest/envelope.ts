import { z } from 'zod';
import { doc } from '../lib/doc.ts';
import type { PageInfo } from '../lib/paging.ts';
import { success } from './schemas.ts';

/** The envelope of platform responses. */
export const ok = <T>(data: T) => ({ success: true as const, data });

export const okPage = <T>({ items, info }: { items: T[]; info: PageInfo }) => ({
  success: true as const,
  data: items,
  pagination: info,
  meta: { page: info.page, total: info.total },
});

/** Lists without a total: GraphQL connections are paged by cursor in REST too. */
interface Edges<T> {
  edges: { node: T }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A limit above the maximum is reduced to the maximum. */
export const pageSize = (asked = 20): number => Math.min(asked, 100);

export const nodesOf = <T>({ edges }: Pick<Edges<T>, 'edges'>): T[] => edges.map(({ node }) => node);

/** A page of a connection. */
export const listOf = <T>(connection: Edges<T>) => {
  const { hasNextPage, endCursor } = connection.pageInfo;
  return {
    data: nodesOf(connection),
    pagination: { hasMore: hasNextPage, nextCursor: hasNextPage ? endCursor : null },
  };
};

export const okList = <T>(connection: Edges<T>) => ({ success: true as const, ...listOf(connection) });

export const cursorPagination = z
  .object({
    hasMore: z.boolean().meta(doc('Whether there are items after this page.', false)),
    nextCursor: z
      .string()
      .nullable()
      .meta(doc('The value of `after` for the next page; null on the last page.', null)),
  })
  .meta({ id: 'CursorPagination' });

export const successList = <T extends z.ZodType>(item: T) =>
  success(z.array(item)).extend({
    pagination: cursorPagination.describe('Whether more pages follow, and where they begin.'),
  });
