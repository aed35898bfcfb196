import { z } from 'zod';
import type { IdentityProvider, SignInFlow } from '../../db/generated/prisma/client.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { Context } from '../context.ts';
import type { ProviderClaims } from '../identities/claims.ts';
import { type SignInResult, signInWithIdentity } from '../identities/complete-sign-in.ts';
import { linkIdentityOfSession } from '../identities/link.ts';
import { confirmSessionAtProvider } from '../identities/reauthenticate.ts';
import { flowPlace } from './begin-sign-in.ts';
import { isSameClient } from './checked-settings.ts';
import { exchangeCode } from './exchange-code.ts';
import { openProvider, type SignInScene, settingsOfTest } from './open-provider.ts';
import { deadlineFromNow } from './provider-fetch.ts';
import { completeTest } from './provider-tests.ts';
import { refuseForeignCode } from './seen-codes.ts';

export type Finished =
  | { kind: 'tested' }
  /** The browser goes on in the session that it came with. */
  | { kind: 'linked' | 'confirmed' }
  | (SignInResult & { next: string | null });

const secrets = z.object({ nonce: z.string(), verifier: z.string() });

interface CallbackRequest {
  /** The whole address of the callback, under our public URL. */
  url: URL;
  state: string;
  /** The secret in the browser's flow cookie. */
  browser: string | null;
}

/** Ends a sign-in with the answer of the provider, for which its flow works once. */
export async function finishSignIn(
  ctx: Context,
  { url, state, browser }: CallbackRequest,
  scene: SignInScene,
): Promise<Finished> {
  const flow = await takeFlow(ctx, state, browser, scene);
  const { nonce, verifier } = secrets.parse(
    parseJson(ctx.app.vault.open(flow.secrets, flowPlace(flow.stateHash))),
  );
  const answer = { state, nonce, verifier };
  await refuseForeignCode(ctx, url.searchParams.get('code'), flow.issuer);
  const deadline = deadlineFromNow();
  if (flow.testId) {
    const tested = await settingsOfTest(ctx, flow.testId, scene);
    const claims = await exchangeCode(ctx.app, tested, url, answer, deadline);
    await completeTest(ctx, flow.testId, tested, claims);
    return { kind: 'tested' };
  }
  const opened = await openProvider(ctx, { id: flow.centerId }, scene);
  if (!isSameClient(opened.settings, flow)) {
    throw new DomainError(
      'UNAUTHORIZED',
      'The identity provider was changed during the sign-in; sign in again.',
    );
  }
  const claims: ProviderClaims = await exchangeCode(ctx.app, opened, url, answer, deadline);
  return actOn(ctx, flow, opened.provider, claims);
}

async function actOn(
  ctx: Context,
  { purpose, sessionId, next }: SignInFlow,
  provider: IdentityProvider,
  claims: ProviderClaims,
): Promise<Finished> {
  switch (purpose) {
    case 'LINK':
      await linkIdentityOfSession(ctx, provider, claims, sessionId!);
      return { kind: 'linked' };
    case 'CONFIRM':
      await confirmSessionAtProvider(ctx, provider, claims, sessionId!);
      return { kind: 'confirmed' };
    default:
      return { ...(await signInWithIdentity(ctx, provider, claims, next)), next };
  }
}

const noFlow = (message: string) => new DomainError('UNAUTHORIZED', message);

/**
 * The flow of this state, which no longer works afterwards. Another browser does not use it up: the one that began it may still
 * be on its way.
 */
async function takeFlow(
  { app, now }: Context,
  state: string,
  browser: string | null,
  scene: SignInScene,
): Promise<SignInFlow> {
  const db = app.db.acrossTenants;
  const stateHash = sha256Hex(state);
  const flow = await db.signInFlow.findUnique({ where: { stateHash } });
  if (!flow) throw noFlow('This sign-in is unknown or was already completed; begin again.');
  const center = await db.center.findUniqueOrThrow({ where: { id: flow.centerId } });
  const browserHash = browser === null ? null : sha256Hex(browser);
  if (flow.browserHash !== browserHash) {
    // Nothing of the flow is shown to another browser but the center that it is for.
    scene.center = center;
    throw noFlow('This sign-in was begun in another browser; begin again in this one.');
  }
  const { count } = await db.signInFlow.deleteMany({ where: { stateHash, browserHash } });
  if (count === 0) throw noFlow('This sign-in was already completed; begin again.');
  Object.assign(scene, { center, purpose: flow.purpose, testId: flow.testId });
  if (flow.expiresAt <= now) throw noFlow('The sign-in took longer than 10 minutes; begin again.');
  return flow;
}
