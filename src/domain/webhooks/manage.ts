import type { Tx } from '../../db/database.ts';
import type { Webhook } from '../../db/generated/prisma/client.ts';
import { DomainError, requireFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import type { CreateWebhookInput, WebhookChanges } from './input.ts';
import { newSecret, sealSecret } from './secret.ts';

/** Limits a center's list and the fan-out of its events. */
export const MAX_WEBHOOKS = 100;

/** How long the old secret stays valid after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;

/** Subscribes a URL to events. The signing secret is returned only in this response. */
export async function createWebhook(ctx: Context, input: CreateWebhookInput) {
  const url = await checkedUrl(ctx, input.url);
  const id = newId('whk');
  const signingSecret = newSecret();
  const centerId = currentCenterId(ctx);
  return transact(ctx, async (work) => {
    // Locking the center's row serializes creations, so that concurrent ones cannot exceed the limit.
    await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
    const count = await work.db.webhook.count({ where: { deletedAt: null } });
    if (count >= MAX_WEBHOOKS) {
      throw new DomainError(
        'CONFLICT',
        `A center can have at most ${MAX_WEBHOOKS} webhooks; delete one first.`,
      );
    }
    const webhook = await work.db.webhook.create({
      data: {
        id,
        centerId,
        url,
        events: [...new Set(input.events)],
        description: input.description ?? '',
        active: input.active ?? true,
        secret: sealSecret(ctx.app.vault, signingSecret, id),
        createdAt: ctx.now,
      },
    });
    work.audit({
      type: 'webhook.changed',
      target: id,
      detail: { change: 'created', url, events: webhook.events, active: webhook.active },
    });
    return { webhook, signingSecret };
  });
}

/** Changes the given fields only. Reactivating a webhook clears the reason for its deactivation. */
export async function updateWebhook(ctx: Context, id: string, changes: WebhookChanges) {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (changes.url !== undefined) given['url'] = await checkedUrl(ctx, changes.url);
  if (changes.events !== undefined) given['events'] = [...new Set(changes.events)];
  return transact(ctx, async (work) => {
    const webhook = await requireWebhook(work.db, id);
    const changed = differing(webhook, given);
    if (Object.keys(changed).length === 0) return webhook;
    const afresh = changes.active ? { deactivatedReason: null, failingSince: null } : {};
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'updated', ...changed } });
    return work.db.webhook.update({ where: { id }, data: { ...given, ...afresh, updatedAt: ctx.now } });
  });
}

/** Activating a failing webhook again is a change too, because its failures are counted anew. */
function differing(webhook: Webhook, given: Record<string, unknown>): Record<string, unknown> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(webhook[name as keyof Webhook]) !== JSON.stringify(value) ||
    (name === 'active' && value === true && webhook.failingSince !== null);
  return Object.fromEntries(Object.entries(given).filter(isChanged));
}

/** Nothing more is sent after the commit. The row stays, because deliveries reference it. */
export async function deleteWebhook(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { url } = await requireWebhook(work.db, id);
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'deleted', url } });
    return work.db.webhook.update({ where: { id }, data: { active: false, deletedAt: ctx.now } });
  });
}

/** Creates a new secret. The old one also keeps signing for a day. */
export async function rotateSecret(ctx: Context, id: string) {
  const signingSecret = newSecret();
  return transact(ctx, async (work) => {
    const { secret: previousSecret } = await requireWebhook(work.db, id);
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'secret rotated' } });
    const webhook = await work.db.webhook.update({
      where: { id },
      data: {
        secret: sealSecret(ctx.app.vault, signingSecret, id),
        previousSecret,
        previousSecretExpiresAt: new Date(ctx.now.getTime() + OVERLAP_MS),
        updatedAt: ctx.now,
      },
    });
    return { webhook, signingSecret };
  });
}

export async function requireWebhook(db: Tx, id: string) {
  const webhook = await db.webhook.findUnique({ where: { id, deletedAt: null } });
  return requireFound(webhook, 'Webhook not found.');
}

/** Rejects URLs that could never be delivered to. The address is checked again on connecting. */
async function checkedUrl({ app }: Context, url: string): Promise<string> {
  const target = await app.outbound.checkTarget(url);
  if (!target.ok) throw validationError([{ path: 'url', message: target.reason }]);
  return url;
}
