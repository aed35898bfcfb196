import type { SignInTicket } from '../../db/generated/prisma/client.ts';
import type { SignInPurpose } from '../../db/generated/prisma/enums.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import type { Work } from '../unit-of-work.ts';

const TICKET_MINUTES = 5;

interface TicketFor {
  /** What the sign-in at the provider is for. */
  purpose: Exclude<SignInPurpose, 'SIGN_IN'>;
  centerId: number;
  /** The test that the sign-in belongs to. */
  testId?: string;
}

/**
 * The address at which the caller's browser begins a sign-in at the provider for something other than signing in. It works once,
 * for five minutes, and only together with the caller's session cookie: sent to another person, it starts nothing.
 */
export async function issueTicket(
  ctx: Context,
  work: Work,
  { purpose, centerId, testId }: TicketFor,
): Promise<string> {
  const token = randomToken();
  await work.db.signInTicket.create({
    data: {
      tokenHash: sha256Hex(token),
      purpose,
      centerId,
      sessionId: currentActor(ctx).sessionId,
      testId: testId ?? null,
      expiresAt: new Date(ctx.now.getTime() + TICKET_MINUTES * 60_000),
    },
  });
  return `${ctx.app.config.publicUrl}/auth/oidc/start?ticket=${token}`;
}

/** The ticket of this token, which no longer works afterwards; null if it is unknown, expired or of another session. */
export async function takeTicket(
  { app, now }: Context,
  token: string,
  sessionId: string,
): Promise<SignInTicket | null> {
  const where = { tokenHash: sha256Hex(token), sessionId, expiresAt: { gt: now } };
  const ticket = await app.db.acrossTenants.signInTicket.findFirst({ where });
  if (!ticket) return null;
  const { count } = await app.db.acrossTenants.signInTicket.deleteMany({ where });
  return count === 1 ? ticket : null;
}
