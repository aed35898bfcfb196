import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { eventTypes, patternsFor } from '../events/catalog.ts';
import { transact } from '../unit-of-work.ts';
import { requireWebhook } from './manage.ts';
import { keepOldEvents, PRIORITY, queueNow } from './queue.ts';

export const recoveryScopes = ['FAILED', 'ALL'] as const;

export const recoverInput = z.object({
  webhookId: z.string().meta(doc('The id of the webhook, `whk_…`.', 'whk_01k9zq2m0000000000000000w1')),
  since: z.date().describe('Only deliveries of events from this time on.'),
  scope: z.enum(recoveryScopes).describe('Whether to repeat failed deliveries only, or all.'),
  until: z
    .date()
    .nullish()
    .describe(
      'Only deliveries last attempted before this time. Default: now. Pass the same value to repeat a call.',
    ),
});

/** The maximum queued per call. The response tells whether another call is needed. */
const MOST_AT_ONCE = 1_000;

/**
 * Resends what a webhook missed since a given time: failed deliveries, or everything, including events while it was inactive.
 * Only deliveries last attempted before `until` are included, so the call can be repeated: it continues where it stopped and
 * has no effect once complete.
 */
export async function recoverWebhook(ctx: Context, input: z.infer<typeof recoverInput>) {
  const { webhookId, scope } = input;
  // Nothing is older, and PostgreSQL cannot represent much earlier times.
  const since = new Date(Math.max(input.since.getTime(), 0));
  const until = input.until ?? ctx.now;
  return transact(ctx, async (work) => {
    await keepOldEvents(work.db);
    const webhook = await requireWebhook(work.db, webhookId);
    if (!webhook.active) throw new DomainError('CONFLICT', 'The webhook is inactive; activate it first.');
    const added = scope === 'ALL' ? await addMissing(ctx, work.db, webhook, since, until) : 0;
    const found = await work.db.delivery.findMany({
      where: {
        webhookId,
        createdAt: { gte: since },
        AND: [
          { OR: [{ lastAttemptAt: null }, { lastAttemptAt: { lt: until } }] },
          { OR: [{ nextAttemptAt: null }, { nextAttemptAt: { gt: ctx.now } }] },
        ],
        ...(scope === 'FAILED' && { status: 'failed' }),
      },
      select: { webhookId: true, eventId: true },
      orderBy: { eventId: 'asc' },
      take: MOST_AT_ONCE + 1,
    });
    const chosen = found.slice(0, MOST_AT_ONCE);
    if (chosen.length > 0) {
      await queueNow(work.db, chosen, PRIORITY.retry);
      const detail = { change: 'recovered', scope, since: since.toISOString(), deliveries: chosen.length };
      work.audit({ type: 'webhook.changed', target: webhookId, detail });
    }
    const hasMore = found.length > chosen.length || added === MOST_AT_ONCE;
    return { queued: chosen.length, hasMore, until };
  });
}

/** Adds deliveries for subscribed events that have none. Returns the number added. */
async function addMissing(
  ctx: Context,
  tx: Tx,
  webhook: { id: string; events: string[] },
  since: Date,
  until: Date,
): Promise<number> {
  const types = eventTypes.filter((type) => patternsFor(type).some((name) => webhook.events.includes(name)));
  return tx.$executeRaw`
    INSERT INTO delivery (webhook_id, event_id, center_id, created_at)
    SELECT ${webhook.id}, e.id, e.center_id, e.created_at
    FROM platform_event e
    WHERE e.center_id = ${currentCenterId(ctx)} AND e.type = ANY (${types})
      AND e.created_at >= ${since}::timestamptz AND e.created_at < ${until}::timestamptz
      AND e.data ->> 'sample' IS NULL
      AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.webhook_id = ${webhook.id} AND d.event_id = e.id)
    -- Locked, because an event this old may just be on its way out.
    ORDER BY e.id LIMIT ${MOST_AT_ONCE} FOR KEY SHARE OF e
    ON CONFLICT DO NOTHING`;
}
