import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';

const MINUTES = 5;
export const CHALLENGE_MS = MINUTES * 60_000;

/** Something new to sign, for one person's registration or, without one, for signing in. */
export async function issueChallenge(
  { app, now }: Context,
  actorId: string | null,
): Promise<Buffer<ArrayBuffer>> {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await app.db.acrossTenants.passkeyChallenge.create({
    data: { challenge: challenge.toString('base64url'), actorId, expiresAt },
  });
  return challenge;
}

/** Whether this was asked and not answered yet. However the answer turns out, it is not taken a second time. */
export async function takeChallenge(
  { app, now }: Context,
  challenge: string,
  actorId: string | null,
): Promise<boolean> {
  const { count } = await app.db.acrossTenants.passkeyChallenge.deleteMany({
    where: { challenge, actorId, expiresAt: { gt: now } },
  });
  return count === 1;
}
