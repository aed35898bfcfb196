import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';

const MINUTES = 5;
export const CHALLENGE_MS = MINUTES * 60_000;

/** A new challenge, for one person's registration or, without a person, for sign-in. */
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

/** Whether this challenge was issued and is unused. It is consumed regardless of the result. */
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
