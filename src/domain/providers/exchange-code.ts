// From the answer of a provider in the browser to verified claims. The library verifies the ID token; this file adds what it
// leaves to its callers: the clock of `iat` and `auth_time`, asymmetric signatures only, our keys, and claims from userinfo.

import { decodeProtectedHeader } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import { DomainError } from '../../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../../lib/json.ts';
import type { Infrastructure } from '../context.ts';
import type { ProviderClaims } from '../identities/claims.ts';
import type { SecretSettings } from './checked-settings.ts';
import { providerKeys } from './keys.ts';
import { type ProviderMetadata, providerMetadata } from './metadata.ts';
import { ownErrorBehind, providerFetch, unsound } from './provider-fetch.ts';

export const TOLERANCE_SECONDS = 60;

const refused = (message: string, cause?: unknown) => new DomainError('UNAUTHORIZED', message, { cause });

/** The library's client for one sign-in. It is cheap, and nothing of one sign-in is left for the next. */
export function makeProviderClient(
  app: Infrastructure,
  metadata: ProviderMetadata,
  { settings, clientSecret }: SecretSettings,
  deadline: number,
): Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isPosted = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  const authentication = isPosted ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
  const client = new Configuration(
    metadata,
    settings.clientId,
    { [clockTolerance]: TOLERANCE_SECONDS },
    authentication,
  );
  const send = providerFetch(app.outbound, deadline);
  const keysAddress = new URL(metadata.jwks_uri).href;
  const tokenAddress = new URL(metadata.token_endpoint).href;
  let keyId: string | undefined;
  client[customFetch] = async (url, options) => {
    if (url === keysAddress) {
      return Response.json(await providerKeys(app, metadata, { keyId, purpose: 'sign-in' }, deadline));
    }
    const response = await send(url, options);
    if (url === tokenAddress) keyId = keyIdIn(parseJson(await response.clone().text()));
    return response;
  };
  if (app.config.outbound.allowHttp) allowInsecureRequests(client);
  // Without it the signature of a token from the token endpoint is not verified.
  enableNonRepudiationChecks(client);
  return client;
}

/** The key id of the ID token in an answer of the token endpoint. It only decides whether the keys are fetched again. */
function keyIdIn(answer: unknown): string | undefined {
  try {
    const { kid } = decodeProtectedHeader((answer as { id_token: string }).id_token);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** What the callback must match. */
export interface ExpectedAnswer {
  state: string;
  nonce: string;
  verifier: string;
}

/** Redeems the code in a callback address and gives the claims of the verified ID token. */
export async function exchangeCode(
  app: Infrastructure,
  { settings, clientSecret }: SecretSettings,
  callback: URL,
  { state, nonce, verifier }: ExpectedAnswer,
  deadline: number,
): Promise<ProviderClaims> {
  const metadata = await providerMetadata(app, settings.issuer, deadline);
  const client = makeProviderClient(app, metadata, { settings, clientSecret }, deadline);
  try {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    const tokens = await authorizationCodeGrant(client, callback, { ...checks, idTokenExpected: true });
    const claims = { ...tokens.claims() } as JsonObject & { iss: string; sub: string };
    const authTime = checkTimes(claims);
    const missing = metadata.userinfo_endpoint !== undefined && lacksClaims(claims, settings);
    const more = missing ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {};
    const all = mergeClaims(claims, more as JsonObject);
    const sid = typeof claims['sid'] === 'string' ? claims['sid'] : null;
    return { issuer: claims.iss, subject: claims.sub, sid, authTime, all };
  } catch (error) {
    throw inOurWords(error);
  }
}

/** The library requires `iat` but not that it lies in the past, and `auth_time` only with `max_age`. */
function checkTimes({ iat, auth_time: authTime }: JsonObject): Date | null {
  const latest = Date.now() / 1_000 + TOLERANCE_SECONDS;
  if (typeof iat !== 'number' || iat > latest) {
    throw refused('The ID token was issued in the future; check the clock of the identity provider.');
  }
  if (authTime === undefined) return null;
  if (typeof authTime !== 'number' || authTime < 0 || authTime > latest) {
    throw refused('The ID token names no valid time of the sign-in (auth_time).');
  }
  return new Date(authTime * 1_000);
}

function lacksClaims(
  claims: JsonObject,
  { groupsClaim, externalIdClaim, requiredClaims, scopes }: SecretSettings['settings'],
): boolean {
  const wanted = [
    ...(scopes.includes('email') ? ['email', 'email_verified'] : []),
    ...(scopes.includes('profile') ? ['name'] : []),
    ...(groupsClaim === null ? [] : [groupsClaim]),
    externalIdClaim,
    ...requiredClaims.map(({ claim }) => claim),
  ];
  return wanted.some((name) => !Object.hasOwn(claims, name));
}

/** Claims of the ID token take precedence. An address and whether it is verified come from the same place. */
function mergeClaims(claims: JsonObject, more: JsonObject): JsonObject {
  const { email, email_verified: verified, ...rest } = more;
  const isSame = !Object.hasOwn(claims, 'email') || claims['email'] === email;
  const own = Object.hasOwn(claims, 'email') ? claims : withoutVerified(claims);
  const merged = new Map([...Object.entries(rest), ...Object.entries(own)]);
  if (isSame && email !== undefined) {
    merged.set('email', email);
    if (!merged.has('email_verified') && verified !== undefined) merged.set('email_verified', verified);
  }
  return Object.fromEntries(merged);
}

const withoutVerified = ({ email_verified: _, ...claims }: JsonObject): JsonObject => claims;

const REFUSALS_BY_CLIENT = ['invalid_client', 'unauthorized_client'];
const TEMPORARY = ['server_error', 'temporarily_unavailable'];

/** The error of a sign-in, without any text of the provider. */
function inOurWords(error: unknown): DomainError {
  const own = ownErrorBehind(error);
  if (own) return own;
  if (error instanceof AuthorizationResponseError) {
    return TEMPORARY.includes(error.error)
      ? unsound('The identity provider reported a temporary failure.', error)
      : new DomainError('FORBIDDEN', 'The identity provider refused the sign-in.', { cause: error });
  }
  if (error instanceof ResponseBodyError) {
    if (error.status >= 500) return unsound('The identity provider reported a failure of its own.', error);
    return REFUSALS_BY_CLIENT.includes(error.error)
      ? refused('The identity provider refused our client id or client secret.', error)
      : refused('The identity provider refused the code of this sign-in.', error);
  }
  const { code, cause } = (isObject(error) ? error : {}) as { code?: string; cause?: unknown };
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return unsound('The identity provider gave an answer that is not valid.', error);
  }
  return refused(faultOf(code, cause), error);
}

const CLAIM_FAULTS: Record<string, string> = {
  iss: 'The ID token is from another issuer.',
  aud: 'The ID token is for another client.',
  azp: 'The ID token is for another client.',
  nonce: 'The ID token does not belong to this sign-in (nonce).',
  exp: 'The ID token has expired; check the clock of the identity provider.',
  nbf: 'The ID token is not valid yet; check the clock of the identity provider.',
};

function faultOf(code: string | undefined, cause: unknown): string {
  const details = isObject(cause) && isObject(cause['cause']) ? cause['cause'] : {};
  const claim = typeof details['claim'] === 'string' ? details['claim'] : '';
  if (Object.hasOwn(CLAIM_FAULTS, claim)) return CLAIM_FAULTS[claim]!;
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'Userinfo is about another subject.';
  if (code === 'OAUTH_KEY_SELECTION_FAILED')
    return 'The ID token is signed with a key that the identity provider does not publish.';
  return 'The answer of the identity provider is not valid: its signature, its algorithm or a required part is wrong.';
}
