import { z } from 'zod';
import type { ScimToken } from '../../db/generated/prisma/client.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError, requireFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { secretForm } from '../../lib/secret-form.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const SCIM_TOKEN = secretForm('scim_');

export const createScimTokenInput = z.object({
  name: plainText(256).trim().min(1).meta(doc('The name that people see, 1 to 256 characters.', 'Entra ID')),
  expiresAt: z
    .date()
    .nullish()
    .meta(
      doc(
        'When the token stops working; it must be in the future. Without it, never.',
        '2027-11-15T00:00:00.000Z',
      ),
    ),
});

export const rotateScimTokenInput = z.object({
  id: z.string().describe('The id of the SCIM token, `scm_…`.'),
  overlapHours: z
    .int()
    .min(0)
    .max(720)
    .default(24)
    .describe('How many hours the old token keeps working, 0 to 720; 0 ends it immediately.'),
});

const MOST_TOKENS = 5;

const usableAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

/** The tokens that work, newest first. */
export function listScimTokens(ctx: Context): Promise<ScimToken[]> {
  return ctx.db.scimToken.findMany({ where: usableAt(ctx.now), orderBy: { id: 'desc' }, take: MOST_TOKENS });
}

/** Creates a token for the directory of the caller's center. The plaintext is returned only in this response. */
export async function createScimToken(
  ctx: Context,
  { name, expiresAt }: z.output<typeof createScimTokenInput>,
) {
  if (expiresAt && expiresAt <= ctx.now)
    throw validationError([{ path: 'expiresAt', message: 'must be in the future' }]);
  await requireFreshProof(ctx);
  return transact(ctx, async (work) => {
    const token = await addToken(ctx, work, { name, expiresAt: expiresAt ?? null });
    noteChange(work, token.scimToken, { change: 'created' });
    return token;
  });
}

/** Creates a successor, and lets the old token expire after a grace period in which the directory gets the new one. */
export async function rotateScimToken(
  ctx: Context,
  { id, overlapHours }: z.output<typeof rotateScimTokenInput>,
): Promise<{ scimToken: ScimToken; previous: ScimToken; plaintext: string }> {
  await requireFreshProof(ctx);
  return transact(ctx, async (work) => {
    const token = await lockToken(ctx, work, id);
    if (token.revokedAt || (token.expiresAt && token.expiresAt <= ctx.now)) {
      throw new DomainError(
        'CONFLICT',
        'This SCIM token has expired or was revoked; create a new one instead.',
      );
    }
    const until = new Date(ctx.now.getTime() + overlapHours * 3_600_000);
    const ends = token.expiresAt && token.expiresAt < until ? token.expiresAt : until;
    const previous = await work.db.scimToken.update({
      where: { id },
      data: overlapHours === 0 ? { revokedAt: ctx.now } : { expiresAt: ends },
    });
    const successor = await addToken(ctx, work, token);
    noteChange(work, token, {
      change: 'rotated',
      successor: successor.scimToken.id,
      until: ends.toISOString(),
    });
    return { ...successor, previous };
  });
}

/** Ends a token immediately. Revoking it again has no effect. */
export async function revokeScimToken(ctx: Context, id: string): Promise<ScimToken> {
  await requireFreshProof(ctx);
  return transact(ctx, async (work) => {
    const token = await lockToken(ctx, work, id);
    if (token.revokedAt) return token;
    noteChange(work, token, { change: 'revoked' });
    return work.db.scimToken.update({ where: { id }, data: { revokedAt: ctx.now } });
  });
}

async function addToken(
  ctx: Context,
  { db }: Work,
  { name, expiresAt }: Pick<ScimToken, 'name' | 'expiresAt'>,
): Promise<{ scimToken: ScimToken; plaintext: string }> {
  const centerId = currentCenterId(ctx);
  // Locking the center's row serializes creations, so that concurrent ones cannot exceed the limit.
  await db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
  if ((await db.scimToken.count({ where: usableAt(ctx.now) })) >= MOST_TOKENS) {
    throw new DomainError(
      'CONFLICT',
      `A center can have at most ${MOST_TOKENS} SCIM tokens; revoke one first.`,
    );
  }
  const { plaintext, publicId, secretHash } = SCIM_TOKEN.fresh(ctx.app.config.cell);
  const data = { id: newId('scm'), centerId, publicId, secretHash, name, expiresAt, createdAt: ctx.now };
  return { scimToken: await db.scimToken.create({ data }), plaintext };
}

/** Of two concurrent changes the second one sees the first. */
async function lockToken(ctx: Context, { db }: Work, id: string): Promise<ScimToken> {
  await db.$queryRaw`SELECT FROM scim_token WHERE id = ${id} AND center_id = ${currentCenterId(ctx)} FOR UPDATE`;
  return requireFound(await db.scimToken.findUnique({ where: { id } }), 'SCIM token not found.');
}

function noteChange(
  work: Work,
  { id, name }: ScimToken,
  detail: { change: string; [name: string]: unknown },
): void {
  work.audit({ type: 'api_key.changed', target: id, detail: { ...detail, kind: 'scim_token', name } });
}
