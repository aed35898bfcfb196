import type { Context as KoaContext, Middleware } from 'koa';
import { authenticate, openRequest, Refusal } from '../../api/open-request.ts';
import { type PublicError, publicError } from '../../api/public-error.ts';
import type { RequestContext } from '../../api/request-context.ts';
import { AUTH_COOKIE, setConnectCookie, setSessionCookies } from '../../api/session-cookies.ts';
import type { App } from '../../app.ts';
import { beginSignIn, FLOW_SECONDS } from '../../domain/providers/begin-sign-in.ts';
import { noteFailure } from '../../domain/providers/failures.ts';
import { type Finished, finishSignIn } from '../../domain/providers/finish-sign-in.ts';
import type { SignInScene } from '../../domain/providers/open-provider.ts';
import { failTest } from '../../domain/providers/provider-tests.ts';
import { DomainError } from '../../lib/errors.ts';
import { attachContext, incoming } from '../../rest/incoming.ts';
import { callbackParameters, startParameters } from './parameters.ts';

/** Binds a sign-in to the browser that began it. */
const FLOW_COOKIE = 'oidc_flow';

/** Marks a start that was sent to the public URL, so that a proxy that hides the host name causes no endless redirects. */
const MOVED = 'moved';

type Step = (ctx: RequestContext, koa: KoaContext, scene: SignInScene) => Promise<string>;

/** The pages between the console and a company's identity provider: every answer is a redirect. */
export function companySignIn(app: App): Middleware {
  const steps: Record<string, Step> = { '/auth/oidc/start': start, '/auth/oidc/callback': callback };
  return async (koa, next) => {
    const step = koa.method === 'GET' && Object.hasOwn(steps, koa.path) ? steps[koa.path] : undefined;
    if (!step) return next();
    koa.state['route'] = koa.path;
    koa.set('Cache-Control', 'no-store');
    koa.status = 303;
    koa.set('Location', await run(app, koa, step));
    koa.body = '';
    return undefined;
  };
}

async function run(app: App, koa: KoaContext, step: Step): Promise<string> {
  const scene: SignInScene = { center: null, purpose: 'SIGN_IN', testId: null };
  let ctx: RequestContext | null = null;
  try {
    ctx = await openRequest(app, incoming(koa), { takes: 'none', tier: 'caller', ownQuery: true });
    attachContext(koa, ctx);
    return await step(ctx, koa, scene);
  } catch (thrown) {
    if (thrown instanceof Refusal) koa.state['rate'] = thrown.rate;
    const reason = thrown instanceof Refusal ? thrown.reason : thrown;
    const log = app.log.child({ requestId: koa.state['requestId'] });
    const error = publicError(reason, log);
    if (reason instanceof DomainError)
      log.info({ code: error.code, reason: error.message }, 'company sign-in failed');
    if (ctx) await keep(ctx, scene, error);
    return errorPage(app, koa, scene, error);
  }
}

/** Keeps the failure for the ADMINs of the center. The answer does not depend on it. */
async function keep(ctx: RequestContext, { center, testId }: SignInScene, error: PublicError): Promise<void> {
  try {
    if (testId) await failTest(ctx, testId, error);
    else if (center) await noteFailure(ctx, center.id, error);
  } catch (failure) {
    publicError(failure, ctx.app.log);
  }
}

const start: Step = async (ctx, koa, scene) => {
  const { publicUrl } = ctx.app.config;
  const elsewhere = toPublicUrl(koa, ctx.app.config);
  if (elsewhere) return elsewhere;
  const parameters = startParameters(new URLSearchParams(koa.querystring), publicUrl);
  const token = parameters.ticket === null ? undefined : ctx.cookies[AUTH_COOKIE];
  const principal = token ? await authenticate(ctx.app, token, ctx.now).catch(signedOut) : null;
  const sessionId = principal?.kind === 'actor' ? principal.sessionId : null;
  const request = { ...parameters, sessionId, browser: ctx.cookies[FLOW_COOKIE] ?? null };
  const { url, browser } = await beginSignIn(ctx, request, scene);
  ctx.cookiesToSet.push({ name: FLOW_COOKIE, value: browser, maxAgeSeconds: FLOW_SECONDS });
  return url;
};

/** An invalid cookie counts as none. */
function signedOut(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

/** The cookies of the sign-in belong to the host of the public URL, at which the callback arrives. */
function toPublicUrl(koa: KoaContext, { publicUrl, trustedProxies }: App['config']): string | null {
  const { host, origin } = new URL(publicUrl);
  const forwarded = trustedProxies === 0 ? '' : koa.get('X-Forwarded-Host').split(',')[0]!.trim();
  const asked = forwarded || koa.host;
  if (asked === host || MOVED in koa.query) return null;
  const url = new URL(`${koa.path}${koa.search}`, origin);
  url.searchParams.set(MOVED, '1');
  return url.href;
}

const callback: Step = async (ctx, koa, scene) => {
  const { publicUrl } = ctx.app.config;
  const { state, search } = callbackParameters(new URLSearchParams(koa.querystring));
  const url = new URL(`${publicUrl}/auth/oidc/callback?${search}`);
  const browser = ctx.cookies[FLOW_COOKIE] ?? null;
  const finished = await finishSignIn(ctx, { url, state, browser }, scene);
  return `${publicUrl}${pageAfter(ctx, finished, scene)}`;
};

function pageAfter(ctx: RequestContext, finished: Finished, scene: SignInScene): string {
  switch (finished.kind) {
    case 'tested':
      return testPage(scene);
    case 'linked':
    case 'confirmed':
      return '/me';
    case 'connect':
      setConnectCookie(ctx, finished.secret);
      return '/connect';
    case 'signed-in': {
      const { center } = setSessionCookies(ctx, finished.signedIn);
      return finished.next ?? (center ? `/c/${center.domain}` : '/');
    }
  }
}

const testPage = ({ center, testId }: SignInScene) =>
  `/c/${center!.centerDomain}/settings/sign-in?test=${testId}`;

/** The page that explains an error in words of the console. */
function errorPage(
  { config: { publicUrl } }: App,
  koa: KoaContext,
  scene: SignInScene,
  { code }: PublicError,
): string {
  if (scene.testId && scene.center) return `${publicUrl}${testPage(scene)}`;
  const query = new URLSearchParams();
  const isSignIn = scene.purpose === 'SIGN_IN';
  if (scene.center && isSignIn) query.set('center', scene.center.centerDomain);
  query.set('error', code);
  query.set('request', koa.state['requestId'] as string);
  return `${publicUrl}${isSignIn ? '/sign-in' : '/me'}?${query}`;
}
