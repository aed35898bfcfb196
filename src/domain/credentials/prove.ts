import type { Db } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { countAttempt, throttleAttempts } from '../identity/attempts.ts';
import { currentActor } from '../identity/me.ts';
import { findMatch } from '../identity/password.ts';
import { endSession } from '../identity/sessions.ts';
import { transact, type Work } from '../unit-of-work.ts';

/** Wrong passwords and passkeys in a row that end a session: the caller with its token is then not its owner. */
const MAX_WRONG = 10;

/**
 * Checks a password or passkey of the session's owner. The attempt counts together with sign-in, so a stolen session allows no
 * additional guesses. `check` returns undefined for a wrong answer; call `proven` in the transaction that a right one allows.
 */
export async function prove<T>(ctx: Context, wrong: string, check: () => Promise<T | undefined>): Promise<T> {
  const { actorId, email } = currentActor(ctx);
  const account = email || actorId;
  await countAttempt(ctx, account);
  const found = await throttleAttempts(ctx, account, { id: actorId }, async () => {
    await takeAttempt(ctx);
    return check();
  });
  if (found !== undefined) return found;
  const hasEnded = await endIfUsedUp(ctx);
  throw new DomainError(
    'INVALID_CREDENTIALS',
    hasEnded ? `${wrong} This session has ended after ${MAX_WRONG} wrong attempts; sign in again.` : wrong,
  );
}

/** The session starts over with its attempts. */
export async function proven(ctx: Context, work: Work, data: { provenAt?: Date } = {}): Promise<void> {
  const { sessionId: id } = currentActor(ctx);
  const where = { id, revokedAt: null };
  const { count } = await work.db.session.updateMany({ where, data: { ...data, proofAttempts: 0 } });
  if (count === 0) throw sessionEnded();
}

/** Counted before the answer is checked, so that of many concurrent guesses only as many are checked as the session has left. */
async function takeAttempt(ctx: Context): Promise<void> {
  const { sessionId: id } = currentActor(ctx);
  const { count } = await sessions(ctx).updateMany({
    where: { id, revokedAt: null, proofAttempts: { lt: MAX_WRONG } },
    data: { proofAttempts: { increment: 1 } },
  });
  if (count > 0) return;
  await endIfUsedUp(ctx);
  throw sessionEnded();
}

async function endIfUsedUp(ctx: Context): Promise<boolean> {
  const { sessionId: id } = currentActor(ctx);
  if ((await sessions(ctx).count({ where: { id, proofAttempts: { gte: MAX_WRONG } } })) === 0) return false;
  await transact.acrossTenants(ctx, (work) => endSession(ctx, work, id, 'too many wrong passwords'));
  return true;
}

const sessions = ({ app }: Context): Db['session'] => app.db.acrossTenants.session;

const sessionEnded = () => new DomainError('UNAUTHORIZED', 'The session has ended; sign in again.');

/** The hash of a person's password, if the password is right. */
export async function matchingHash(
  { app }: Context,
  actorId: string,
  password: string,
): Promise<string | undefined> {
  const { passwordHash } = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: actorId } });
  const hashes = passwordHash === null ? [] : [passwordHash];
  return hashes[await findMatch(hashes, password)];
}
