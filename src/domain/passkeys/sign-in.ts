import { z } from 'zod';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { centerDomainField, signInActor } from '../identity/open-session.ts';
import type { SignedIn } from '../identity/sessions.ts';
import { optionsFor, verifyAssertion } from './assertion.ts';
import { assertionResponse, clientDataOf, issueChallenge, takeChallenge } from './webauthn.ts';

export const passkeySignInInput = z.object({
  response: assertionResponse.describe('The response of the browser (AuthenticationResponseJSON).'),
  centerDomain: centerDomainField.describe(
    'The domain slug of the center to enter directly. Default: the last visited one.',
  ),
});

/** The options that the browser needs to offer its passkeys for this service. */
export async function beginPasskeySignIn(ctx: Context) {
  return optionsFor(ctx, await issueChallenge(ctx, null));
}

/** Opens a session for the owner of the passkey. */
export async function signInWithPasskey(
  ctx: Context,
  { response, centerDomain }: z.infer<typeof passkeySignInInput>,
  lastVisited: string | null,
): Promise<SignedIn> {
  await countAttempt(ctx, `passkey ${response.id.slice(0, 64)}`);
  const db = ctx.app.db.acrossTenants;
  const { challenge } = clientDataOf(response);
  const asked = await takeChallenge(ctx, challenge, null);
  const { passkey } = await verifyAssertion(ctx, db, {
    response,
    challenge: asked ? challenge : null,
    actorId: null,
  });
  const actor = await db.actor.findUniqueOrThrow({ where: { id: passkey.actorId } });
  return signInActor(ctx, actor, { centerDomain, lastVisited, passkeyId: passkey.id });
}
