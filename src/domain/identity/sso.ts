import { z } from 'zod';
import { TargetApp } from '../../db/generated/prisma/enums.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { type ActorPrincipal, centerIdOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { loadPrincipal } from './authenticate.ts';
import { currentActor } from './me.ts';

const SSO_TOKEN_SECONDS = 120;

export const ssoTokenInput = z.object({
  targetApp: z.enum(TargetApp).meta(doc('The companion app that the token is for.', 'lms')),
});
export const ssoVerifyInput = z.object({
  token: z
    .string()
    .min(1)
    .max(1_024)
    .meta(doc('The single-use token, valid for 120 seconds.', 'Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v')),
  targetApp: z.enum(TargetApp).nullish().meta(doc('The requesting app. It must match the token.', 'lms')),
});

/** A single-use token with which a companion app may sign this person in. */
export async function createSsoToken(ctx: Context, targetApp: TargetApp) {
  const principal = currentActor(ctx);
  const token = randomToken();
  const expiresAt = new Date(ctx.now.getTime() + SSO_TOKEN_SECONDS * 1_000);
  await transact.acrossTenants(ctx, async (work) => {
    await work.db.ssoToken.create({
      data: {
        tokenHash: sha256Hex(token),
        sessionId: principal.sessionId,
        actorId: principal.actorId,
        centerId: centerIdOf(principal),
        targetApp,
        createdAt: ctx.now,
        expiresAt,
      },
    });
    work.audit({
      type: 'auth.signed_in',
      target: principal.sessionId,
      partnerId: centerIdOf(principal) === null ? (principal.partner?.id ?? null) : null,
      detail: { sso: 'created', targetApp },
    });
  });
  return { token, expiresAt };
}

export interface SsoIdentity {
  person: ActorPrincipal;
  targetApp: TargetApp;
}

/** Consumes a token and returns its owner. Of concurrent attempts exactly one succeeds. */
export async function verifySsoToken(
  ctx: Context,
  { token, targetApp }: z.infer<typeof ssoVerifyInput>,
): Promise<SsoIdentity> {
  return transact.acrossTenants(ctx, async (work) => {
    const { db } = work;
    const tokenHash = sha256Hex(token);
    const { count } = await db.ssoToken.updateMany({
      where: {
        tokenHash,
        consumedAt: null,
        expiresAt: { gt: ctx.now },
        ...(targetApp && { targetApp }),
      },
      data: { consumedAt: ctx.now },
    });
    if (count === 0) throw new DomainError('UNAUTHORIZED', 'The token is wrong, expired or was used before.');
    const consumed = await db.ssoToken.findUniqueOrThrow({ where: { tokenHash } });
    const person = await loadPrincipal(db, consumed, ctx.now);
    work.audit({
      type: 'auth.signed_in',
      target: consumed.sessionId,
      centerId: consumed.centerId,
      detail: { sso: 'used', targetApp: consumed.targetApp },
      actor: { id: person.actorId, email: person.shownEmail },
    });
    return { person, targetApp: consumed.targetApp };
  });
}
