import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { verifyAssertion } from '../passkeys/assertion.ts';
import {
  type AssertionResponse,
  assertionResponse,
  clientDataOf,
  takeChallenge,
} from '../passkeys/webauthn.ts';
import { transact } from '../unit-of-work.ts';
import { matchingHash, prove, proven } from './prove.ts';

/** What a person proves themselves with: one of the two. */
export const proofFields = z.object({
  password: z
    .string()
    .min(1)
    .max(1_024)
    .nullish()
    .describe('The password of the account, at most 1,024 characters.'),
  response: assertionResponse
    .nullish()
    .describe("The browser's response (AuthenticationResponseJSON) to the options of `beginPasskeySignIn`."),
});

export const reauthenticateInput = proofFields.refine(
  ({ password, response }) => (password == null) !== (response == null),
  {
    path: ['password'],
    message: 'give either password or response',
  },
);

/** Confirms again who uses the session, with the person's password or passkey. */
export async function reauthenticate(
  ctx: Context,
  { password, response }: z.infer<typeof reauthenticateInput>,
): Promise<true> {
  const { actorId, sessionId } = currentActor(ctx);
  const detail = response
    ? {
        reauthenticated: 'passkey',
        passkey: await prove(ctx, 'The passkey was not accepted.', () => passkeyOf(ctx, actorId, response)),
      }
    : { reauthenticated: 'password' };
  if (!response) await prove(ctx, 'The password is wrong.', () => matchingHash(ctx, actorId, password!));
  await transact.acrossTenants(ctx, async (work) => {
    await proven(ctx, work, { provenAt: ctx.now });
    work.audit({ type: 'auth.signed_in', target: sessionId, detail });
  });
  return true;
}

/** The id of the person's passkey that signed the response; undefined if none did. */
export async function passkeyOf(
  ctx: Context,
  actorId: string,
  response: AssertionResponse,
): Promise<string | undefined> {
  const { challenge } = clientDataOf(response);
  const asked = await takeChallenge(ctx, challenge, null);
  const assertion = { response, challenge: asked ? challenge : null, actorId };
  try {
    const { passkey } = await verifyAssertion(ctx, ctx.app.db.acrossTenants, assertion);
    return passkey.id;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_CREDENTIALS') return undefined;
    throw error;
  }
}
