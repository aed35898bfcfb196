import { z } from 'zod';
import type { ApiKey } from '../../db/generated/prisma/client.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { secretForm } from '../../lib/secret-form.ts';
import { escapeLike } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { principalName } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const keyScopes = ['proof:read', 'proof:write', 'proof:request'] as const;

/** What a center may grant itself. Only the operator can raise the tier for everyone (RATE_PROOF). */
const MOST_PER_MINUTE = 6_000;

export const createApiKeyInput = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .meta(doc('The name that people see, 1 to 256 characters.', 'Order service')),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .max(keyScopes.length)
    .meta(doc(`What it may do: ${keyScopes.join(', ')}.`, ['proof:write'])),
  expiresAt: z
    .date()
    .nullish()
    .meta(
      doc(
        'When the key stops working; it must be in the future. Without it, never.',
        '2027-11-15T00:00:00.000Z',
      ),
    ),
  ratePerMinute: z
    .int()
    .min(1)
    .max(MOST_PER_MINUTE)
    .nullish()
    .meta(doc('Requests per minute, 1 to 6,000; null uses the default limit.', 600)),
});

export type CreateApiKeyInput = z.infer<typeof createApiKeyInput>;

/** Creates a key for the caller's center. The plaintext is returned only in this response. */
export async function createApiKey(ctx: Context, input: CreateApiKeyInput) {
  if (input.expiresAt && input.expiresAt <= ctx.now) {
    throw new DomainError('VALIDATION_ERROR', 'expiresAt: must be in the future');
  }
  const { plaintext, publicId, secretHash } = FORM.fresh(ctx.app.config.cell);
  return transact(ctx, async (work) => {
    await requireRoom(ctx, work);
    const apiKey = await work.db.apiKey.create({
      data: {
        id: newId('key'),
        centerId: currentCenterId(ctx),
        name: input.name,
        publicId,
        secretHash,
        scopes: [...new Set(input.scopes)],
        ratePerMinute: input.ratePerMinute ?? null,
        expiresAt: input.expiresAt ?? null,
        createdById: principalName(ctx.principal),
        createdAt: ctx.now,
      },
    });
    work.audit({
      type: 'api_key.changed',
      target: apiKey.id,
      detail: { change: 'created', name: apiKey.name, scopes: apiKey.scopes },
    });
    return { apiKey, plaintext };
  });
}

/** Each key has its own rate limit, so their number must be limited. */
const MOST_KEYS = 100;

async function requireRoom(ctx: Context, { db }: Work): Promise<void> {
  // Locking the center's row serializes creations, so that concurrent ones cannot exceed the limit.
  await db.$queryRaw`SELECT FROM center WHERE id = ${currentCenterId(ctx)} FOR NO KEY UPDATE`;
  if ((await db.apiKey.count({ where: usableAt(ctx.now) })) < MOST_KEYS) return;
  throw new DomainError('CONFLICT', `A center can have at most ${MOST_KEYS} API keys; revoke one first.`);
}

export const usableAt = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** Those of the given ids that belong to keys of the current center that are neither expired nor revoked. */
export async function usableKeys(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const where = { id: { in: [...ids] }, centerId: currentCenterId(ctx), ...usableAt(ctx.now) };
  const found = await ctx.db.apiKey.findMany({ where, select: { id: true } });
  return new Set(found.map(({ id }) => id));
}

export const rotateApiKeyInput = z.object({
  id: z.string().describe('The id of the API key, `key_…`.'),
  overlapHours: z
    .int()
    .min(0)
    .max(720)
    .default(24)
    .describe('How many hours the old key keeps working, 0 to 720; 0 revokes it immediately.'),
});

/** Creates a successor with the same permissions, and lets the old key expire after a grace period for its users to switch. */
export async function rotateApiKey(
  ctx: Context,
  { id, overlapHours }: z.output<typeof rotateApiKeyInput>,
): Promise<{ apiKey: ApiKey; previous: ApiKey; plaintext: string }> {
  const { plaintext, publicId, secretHash } = FORM.fresh(ctx.app.config.cell);
  return transact(ctx, async (work) => {
    // The row is locked, so that of two concurrent rotations the second finds the key already expiring.
    await work.db
      .$queryRaw`SELECT FROM api_key WHERE id = ${id} AND center_id = ${currentCenterId(ctx)} FOR UPDATE`;
    const key = requireFound(await work.db.apiKey.findUnique({ where: { id } }), 'API key not found.');
    if (key.revokedAt || (key.expiresAt && key.expiresAt <= ctx.now)) {
      throw new DomainError('CONFLICT', 'This API key has expired or was revoked; create a new one instead.');
    }
    const until = new Date(ctx.now.getTime() + overlapHours * 3_600_000);
    const ends = key.expiresAt && key.expiresAt < until ? key.expiresAt : until;
    const previous = await work.db.apiKey.update({
      where: { id },
      data: overlapHours === 0 ? { revokedAt: ctx.now } : { expiresAt: ends },
    });
    await requireRoom(ctx, work);
    const apiKey = await work.db.apiKey.create({
      data: {
        id: newId('key'),
        centerId: key.centerId,
        name: key.name,
        publicId,
        secretHash,
        scopes: key.scopes,
        ratePerMinute: key.ratePerMinute,
        // The successor keeps the key's expiry date. If the key never expires, neither does its successor.
        expiresAt: key.expiresAt,
        createdById: principalName(ctx.principal),
        createdAt: ctx.now,
      },
    });
    work.audit({
      type: 'api_key.changed',
      target: id,
      detail: { change: 'rotated', name: key.name, successor: apiKey.id, until: ends.toISOString() },
    });
    return { apiKey, previous, plaintext };
  });
}

/** Revokes a key immediately. Revoking it again has no effect. */
export async function revokeApiKey(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const apiKey = requireFound(await work.db.apiKey.findUnique({ where: { id } }), 'API key not found.');
    if (apiKey.revokedAt) return apiKey;
    work.audit({
      type: 'api_key.changed',
      target: id,
      detail: { change: 'revoked', name: apiKey.name },
    });
    return work.db.apiKey.update({ where: { id }, data: { revokedAt: ctx.now } });
  });
}

export interface KeyFilter {
  search?: string | null | undefined;
  usable?: boolean | null | undefined;
}

/** The keys whose name or public id contains the text, and those that can be used now. */
export const matchingKeys = ({ now }: Context, { search, usable }: KeyFilter) => {
  const contains = escapeLike(search?.trim() ?? '');
  const text = { contains, mode: 'insensitive' } as const;
  return {
    AND: [
      contains === '' ? {} : { OR: [{ name: text }, { publicId: text }] },
      usable === true ? usableAt(now) : usable === false ? { NOT: usableAt(now) } : {},
    ],
  };
};

const MOST_LISTED = 500;

/** The center's keys, newest first. */
export function listApiKeys(ctx: Context) {
  return ctx.db.apiKey.findMany({ orderBy: { id: 'desc' }, take: MOST_LISTED });
}

const FORM = secretForm('csk_');

export const looksLikeKey = FORM.looksLike;

/** The part by which a key is looked up, or null if the text is not a key. */
export const publicIdOf = FORM.publicIdOf;
