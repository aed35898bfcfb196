import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { currentActor } from '../identity/me.ts';
import { findMatch } from '../identity/password.ts';
import { verifyAssertion } from '../passkeys/assertion.ts';
import {
  type AssertionResponse,
  assertionResponse,
  clientDataOf,
  takeChallenge,
} from '../passkeys/webauthn.ts';
import { transact } from '../unit-of-work.ts';

export const reauthenticateInput = z
  .object({
    password: z
      .string()
      .min(1)
      .max(1_024)
      .nullish()
      .describe('The password of the account, at most 1,024 characters.'),
    response: assertionResponse
      .nullish()
      .describe(
        "The browser's response (AuthenticationResponseJSON) to the options of `beginPasskeySignIn`.",
      ),
  })
  .refine(({ password, response }) => (password == null) !== (response == null), {
    path: ['password'],
    message: 'give either password or response',
  });

/** Confirms again who uses the session, with the person's password or passkey. */
export async function reauthenticate(
  ctx: Context,
  { password, response }: z.infer<typeof reauthenticateInput>,
): Promise<true> {
  const { actorId, email, sessionId } = currentActor(ctx);
  // Counted together with sign-in, so a stolen session allows no additional guesses.
  await countAttempt(ctx, email || actorId);
  const detail = response
    ? { reauthenticated: 'passkey', passkey: await provePasskey(ctx, actorId, response) }
    : { reauthenticated: 'password' };
  if (!response) await provePassword(ctx, actorId, password!);
  await transact.acrossTenants(ctx, async (work) => {
    await work.db.session.update({ where: { id: sessionId }, data: { provenAt: ctx.now } });
    work.audit({ type: 'auth.signed_in', target: sessionId, detail });
  });
  return true;
}

async function provePasskey(ctx: Context, actorId: string, response: AssertionResponse): Promise<string> {
  const { challenge } = clientDataOf(response);
  const asked = await takeChallenge(ctx, challenge, null);
  const { passkey } = await verifyAssertion(ctx, ctx.app.db.acrossTenants, {
    response,
    challenge: asked ? challenge : null,
    actorId,
  });
  return passkey.id;
}

async function provePassword({ app }: Context, actorId: string, password: string): Promise<void> {
  const { passwordHash } = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: actorId } });
  if ((await findMatch(passwordHash === null ? [] : [passwordHash], password)) < 0)
    throw new DomainError('INVALID_CREDENTIALS', 'The password is wrong.');
}
