import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import type { SignInPurpose } from '../../db/generated/prisma/enums.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { takeTicket } from '../identities/tickets.ts';
import type { SecretSettings } from './checked-settings.ts';
import { makeProviderClient } from './exchange-code.ts';
import { providerMetadata } from './metadata.ts';
import { openProvider, type ProviderOfCenter, type SignInScene, settingsOfTest } from './open-provider.ts';
import { deadlineFromNow } from './provider-fetch.ts';
import { providerAddresses } from './settings.ts';

const FLOW_MINUTES = 10;
export const FLOW_SECONDS = FLOW_MINUTES * 60;

/** What the browser asked for. */
export interface StartRequest {
  center: string | null;
  /** The console path to open afterwards, checked. */
  next: string | null;
  /** The address to fill in at the provider. */
  hint: string | null;
  ticket: string | null;
  /** The session of the browser's cookie, which a ticket must belong to. */
  sessionId: string | null;
  /** The secret in the browser's flow cookie; one serves several tabs. */
  browser: string | null;
}

interface Begun {
  /** The address at the provider. */
  url: string;
  /** The secret for the browser's flow cookie. */
  browser: string;
}

const BROWSER_SECRET = /^[\w-]{43}$/;

/** Begins a sign-in: the browser goes to the returned address at the provider. */
export async function beginSignIn(ctx: Context, request: StartRequest, scene: SignInScene): Promise<Begun> {
  if (request.ticket === null) {
    if (request.center === null) throw new DomainError('VALIDATION_ERROR', 'The address names no center.');
    const opened = await openProvider(ctx, { centerDomain: request.center }, scene);
    return begin(ctx, request, opened, { purpose: 'SIGN_IN', testId: null, sessionId: null });
  }
  const ticket = request.sessionId && (await takeTicket(ctx, request.ticket, request.sessionId));
  if (!ticket) {
    throw new DomainError(
      'UNAUTHORIZED',
      'This address works once, for five minutes, in the browser and the session that asked for it.',
    );
  }
  const { purpose, testId, sessionId, centerId } = ticket;
  scene.purpose = purpose;
  scene.testId = testId;
  const opened = testId
    ? await settingsOfTest(ctx, testId, scene)
    : await openProvider(ctx, { id: centerId }, scene);
  return begin(ctx, request, opened, { purpose, testId, sessionId });
}

interface FlowOf {
  purpose: SignInPurpose;
  testId: string | null;
  sessionId: string | null;
}

async function begin(
  ctx: Context,
  { next, hint, browser: presented }: StartRequest,
  { center, ...secretSettings }: Pick<ProviderOfCenter, 'center'> & SecretSettings,
  { purpose, testId, sessionId }: FlowOf,
): Promise<Begun> {
  const { settings } = secretSettings;
  const deadline = deadlineFromNow();
  const metadata = await providerMetadata(ctx.app, settings.issuer, deadline);
  const browser = presented !== null && BROWSER_SECRET.test(presented) ? presented : randomToken();
  const [state, nonce, verifier] = [randomToken(), randomToken(), randomPKCECodeVerifier()];
  const stateHash = sha256Hex(state);
  await ctx.app.db.acrossTenants.signInFlow.create({
    data: {
      stateHash,
      browserHash: sha256Hex(browser),
      centerId: center.id,
      ...{ purpose, testId, sessionId, next },
      issuer: settings.issuer,
      clientId: settings.clientId,
      secrets: ctx.app.vault.seal(JSON.stringify({ nonce, verifier }), flowPlace(stateHash)),
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + FLOW_SECONDS * 1_000),
    },
  });
  const client = makeProviderClient(ctx.app, metadata, secretSettings, deadline);
  const url = buildAuthorizationUrl(client, {
    redirect_uri: providerAddresses(ctx).redirectUri,
    scope: settings.scopes.join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(hint !== null && { login_hint: hint }),
    // A session that still lives at the provider proves nothing about who sits there now.
    ...(purpose === 'CONFIRM' && { prompt: 'login', max_age: '0' }),
  });
  return { url: url.href, browser };
}

/** The place that the secrets of a flow are bound to. */
export const flowPlace = (stateHash: string) => `sign_in_flow:${stateHash}`;
