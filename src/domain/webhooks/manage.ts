import type { Tx } from '../../db/database.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import type { CreateWebhookInput, WebhookChanges } from './input.ts';
import { newSecret, sealSecret } from './secret.ts';

/** Keeps a center's list, and the fan-out of its events, bounded. */
export const MAX_WEBHOOKS = 100;

/** How long the old secret stays valid after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;

/** Subscribes a url to events. The signing secret is in the answer and, readable, nowhere else. */
export async function createWebhook(ctx: Context, input: CreateWebhookInput) {
  const url = await checkedUrl(ctx, input.url);
  const id = newId('whk');
  const signingSecret = newSecret();
  const centerId = currentCenterId(ctx);
  return transact(ctx, async (work) => {
    // The center's row serialises creations, so that the limit holds whatever comes at once.
    await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
    const existing = await work.db.webhook.count({ where: { deletedAt: null } });
    if (existing >= MAX_WEBHOOKS) {
      throw new DomainError('CONFLICT', `A center can have at most ${MAX_WEBHOOKS} webhooks.`);
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

/** Changes what is given and leaves the rest. Switching it on again forgets why it was switched off. */
export async function updateWebhook(ctx: Context, id: string, changes: WebhookChanges) {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (changes.url !== undefined) given['url'] = await checkedUrl(ctx, changes.url);
  if (changes.events !== undefined) given['events'] = [...new Set(changes.events)];
  return transact(ctx, async (work) => {
    const webhook = await existing(work.db, id);
    if (Object.keys(given).length === 0) return webhook;
    const afresh = changes.active ? { deactivatedReason: null, failingSince: null } : {};
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'updated', ...given } });
    return work.db.webhook.update({ where: { id }, data: { ...given, ...afresh, updatedAt: ctx.now } });
  });
}

/** From the commit on nothing more is sent. The row stays, because deliveries refer to it. */
export async function deleteWebhook(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { url } = await existing(work.db, id);
    work.audit({ type: 'webhook.changed', target: id, detail: { change: 'deleted', url } });
    return work.db.webhook.update({ where: { id }, data: { active: false, deletedAt: ctx.now } });
  });
}

/** A new secret from now on; the old one keeps signing beside it for a day. */
export async function rotateSecret(ctx: Context, id: string) {
  const signingSecret = newSecret();
  return transact(ctx, async (work) => {
    const { secret: previousSecret } = await existing(work.db, id);
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

export async function existing(db: Tx, id: string) {
  const webhook = await db.webhook.findUnique({ where: { id, deletedAt: null } });
  if (!webhook) throw new DomainError('NOT_FOUND', 'Webhook not found.');
  return webhook;
}

/** Spares a subscriber a webhook that could never be delivered to; connecting checks the address again. */
async function checkedUrl({ app }: Context, url: string): Promise<string> {
  const target = await app.outbound.checkTarget(url);
  if (!target.ok) throw validationError([{ path: 'url', message: target.reason }]);
  return url;
}
