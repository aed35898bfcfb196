import { type OwnedRows, pageKeys } from '../../db/owned-pages.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import { type Context, ownRows } from '../context.ts';

interface DeliveryFilter {
  /** How the last attempt went. */
  status?: 'success' | 'failed' | null | undefined;
  eventType?: string | null | undefined;
}

/** Those that were tried, newest first. */
const TRIED: OwnedRows = {
  table: 'delivery',
  owner: 'webhook_id',
  key: 'event_id',
  order: 'DESC',
  where: `r.attempts > 0 AND ($2::text IS NULL OR (r.status = 'success') = ($2 = 'success'))
    AND ($3::text IS NULL OR EXISTS (SELECT FROM platform_event e WHERE e.id = r.event_id AND e.type = $3))`,
};

/** By webhook, the events on one page of its deliveries. */
export function deliveredEvents(
  ctx: Context,
  webhookIds: readonly string[],
  window: CursorWindow,
  { status = null, eventType = null }: DeliveryFilter,
): Promise<Map<string, string[]>> {
  return pageKeys(ownRows(ctx), TRIED, webhookIds, window, [status, eventType]);
}
