/** Page-numbered lists of the platform API. */
export interface PageRequest {
  page: number;
  limit: number;
}

export interface PageInfo extends PageRequest {
  total: number;
  totalPages: number;
  hasMore: boolean;
}

export interface Page<T> {
  items: T[];
  info: PageInfo;
}

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** Where exact counting stops: few callers page that far, and an exact count would be slow. */
export const MOST_COUNTED = 10_000;

/** A page as a caller asks for it. */
export type AskedPage = { [Name in keyof PageRequest]?: PageRequest[Name] | null | undefined };

/** A limit above the maximum is reduced to the maximum instead of being rejected. */
export function pageRequest({ page, limit }: AskedPage): PageRequest {
  return { page: page ?? 1, limit: Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE) };
}

export function skipOf({ page, limit }: PageRequest): number {
  return (page - 1) * limit;
}

export function toPage<T>(items: T[], total: number, { page, limit }: PageRequest): Page<T> {
  const totalPages = Math.ceil(total / limit);
  return { items, info: { page, limit, total, totalPages, hasMore: page < totalPages } };
}

/** Reads a page of a list with a known total. A page past its end is empty without reading anything. */
export async function readPage<T>(
  asked: AskedPage,
  total: number,
  slice: (window: { skip: number; limit: number }) => Promise<T[]>,
): Promise<Page<T>> {
  const request = pageRequest(asked);
  const skip = skipOf(request);
  return toPage(skip < total ? await slice({ skip, limit: request.limit }) : [], total, request);
}

/** A part of a plain list, as Prisma arguments. */
export interface ListPage {
  take: number;
  skip: number;
}

/** Lists of the Proof API. */
export interface OffsetInfo {
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

export function offsetInfo(total: number, limit: number, offset: number, returned: number): OffsetInfo {
  return { total, limit, offset, hasMore: offset + returned < total };
}

/** The rows that a Relay connection or a page asks for. */
export interface CursorWindow<Key = string> {
  after?: Key | undefined;
  before?: Key | undefined;
  limit: number;
  skip?: number;
  /** Read from the end; the connection reverses the rows again. */
  inverted?: boolean;
}

/** The window as Prisma arguments for rows with a sortable id as cursor, newest first. */
export function newestFirst<Filter extends object>(
  { after, before, limit, inverted }: CursorWindow,
  filter?: Filter,
) {
  return {
    where: { ...filter, id: { ...(after && { lt: after }), ...(before && { gt: before }) } },
    orderBy: { id: inverted ? ('asc' as const) : ('desc' as const) },
    take: limit,
  };
}

/** The same, oldest first. */
export function oldestFirst<Key, Filter extends object>(
  { after, before, limit, skip = 0, inverted }: CursorWindow<Key>,
  filter?: Filter,
) {
  return {
    where: {
      ...filter,
      id: { ...(after !== undefined && { gt: after }), ...(before !== undefined && { lt: before }) },
    },
    orderBy: { id: inverted ? ('desc' as const) : ('asc' as const) },
    take: limit,
    skip,
  };
}
