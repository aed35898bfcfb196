import type { PageInfo } from '../lib/paging.ts';

/** What the platform wraps its answers in. */
export const ok = (data: unknown) => ({ success: true as const, data });

export const okPage = ({ items, info }: { items: unknown[]; info: PageInfo }) => ({
  success: true as const,
  data: items,
  pagination: info,
  meta: { page: info.page, total: info.total },
});
