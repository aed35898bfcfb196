import type { App } from '../app.ts';
import { authenticateKey } from '../domain/api-keys/authenticate.ts';
import { looksLikeKey } from '../domain/api-keys/keys.ts';
import { authenticateToken } from '../domain/identity/authenticate.ts';
import { RateLimitExceeded } from '../domain/limits/limiter.ts';
import { centerIdOf, type Principal, principalName } from '../domain/principal.ts';
import { authenticateScimToken } from '../domain/scim/authenticate.ts';
import { SCIM_TOKEN } from '../domain/scim/tokens.ts';
import { DomainError } from '../lib/errors.ts';
import { countAll, quotasFor, type Tier } from './rates.ts';
import { makeRequestContext, type RequestContext } from './request-context.ts';
import { AUTH_COOKIE } from './session-cookies.ts';

/** What is known of a request before its sender is authenticated. */
export interface IncomingRequest {
  requestId: string;
  address: string;
  userAgent: string | null;
  authorization: string | undefined;
  cookies: Readonly<Record<string, string>>;
  /** The raw X-Read-After header. */
  readAfter: string | null;
  /** Whether the surface supports X-Read-After, so that a replica may answer. */
  mayLag: boolean;
}

/** The credentials a surface accepts: a REST row accepts one kind, GraphQL any but those of SCIM. */
export type Credentials = 'none' | 'token' | 'key' | 'any' | 'scim';

/** What a surface says of the requests that it opens. */
interface Surface {
  takes: Credentials;
  tier: Tier;
  /** Whether it runs our own documents, whose input it has validated and whose size and cost are known. */
  ownQuery: boolean;
  cost?: number;
}

interface Credential {
  token: string;
  fromCookie: boolean;
}

/** The header takes precedence over the cookie, because it is sent on purpose. */
export function credentialOf(request: IncomingRequest): Credential | null {
  if (request.authorization !== undefined) {
    const token = /^Bearer +([^\s]+)$/i.exec(request.authorization.trim())?.[1];
    return { token: token ?? '', fromCookie: false };
  }
  const cookie = request.cookies[AUTH_COOKIE];
  return cookie ? { token: cookie, fromCookie: true } : null;
}

async function principalOf(
  app: App,
  request: IncomingRequest,
  takes: Credentials,
  now: Date,
): Promise<Principal> {
  const credential = takes === 'none' ? null : credentialOf(request);
  if (takes === 'scim') {
    if (!credential || credential.fromCookie || !SCIM_TOKEN.looksLike(credential.token))
      throw new DomainError('UNAUTHORIZED', 'A SCIM token is required.');
    return authenticateScimToken(app, credential.token, now);
  }
  if (!credential) {
    if (takes === 'none' || takes === 'any') return { kind: 'anonymous' };
    throw new DomainError('UNAUTHORIZED', takes === 'key' ? 'An API key is required.' : 'Sign in first.');
  }
  const isKey = looksLikeKey(credential.token);
  if (takes === 'key' ? !isKey || credential.fromCookie : takes === 'token' && isKey) {
    throw new DomainError(
      'UNAUTHORIZED',
      takes === 'key' ? 'An API key is required.' : 'API keys are not accepted for this operation.',
    );
  }
  return authenticate(app, credential.token, now);
}

/** The current owner of a token or key. */
export function authenticate(app: App, token: string, now: Date): Promise<Principal> {
  return looksLikeKey(token) ? authenticateKey(app, token, now) : authenticateToken(app, token, now);
}

/** A rejected request, with the rate limit state for its response headers. */
export class Refusal extends Error {
  readonly reason: unknown;
  readonly rate: RequestContext['rate'];
  /** The session cookie is invalid: the browser should drop it, or the user could not sign in again. */
  readonly staleCookie: boolean;

  constructor(reason: unknown, rate: RequestContext['rate'], staleCookie = false) {
    super('refused');
    this.reason = reason;
    this.rate = rate;
    this.staleCookie = staleCookie;
  }
}

/**
 * Authenticates the caller, counts the call by its cost and creates its context, for both REST and GraphQL. Rejected calls are
 * counted by address.
 */
export async function openRequest(
  app: App,
  request: IncomingRequest,
  { takes, tier, ownQuery, cost = 1 }: Surface,
): Promise<RequestContext> {
  const now = new Date();
  let principal: Principal = { kind: 'anonymous' };
  let refused: unknown;
  try {
    principal = await principalOf(app, request, takes, now);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    refused = error;
  }
  const counted = takes === 'any' && principal.kind === 'anonymous' && !refused ? 'public' : tier;
  const quotas = quotasFor(counted, principal, request.address, app.config.rates);
  let rate: RequestContext['rate'];
  try {
    rate = await countAll(app, quotas, now, cost);
  } catch (error) {
    if (error instanceof RateLimitExceeded) throw new Refusal(error, error.rate);
    throw error;
  }
  // If only API keys or SCIM tokens are accepted, a cookie is ignored and may be valid.
  const usesCookie = takes !== 'key' && takes !== 'scim';
  if (refused) throw new Refusal(refused, rate, usesCookie && credentialOf(request)?.fromCookie);
  return makeRequestContext({
    app,
    principal,
    now,
    requestId: request.requestId,
    ip: request.address,
    userAgent: request.userAgent,
    cookies: request.cookies,
    readAfter: request.readAfter,
    mayLag: request.mayLag,
    ownQuery,
    rate,
    quotas,
    content: app.contentBudget.open(centerIdOf(principal)),
  });
}

/** Identifies the caller: the person, the key, or the address of an anonymous caller. */
export function callerName({ principal, ip }: RequestContext): string {
  return principal.kind === 'anonymous' ? `address:${ip}` : principalName(principal);
}
