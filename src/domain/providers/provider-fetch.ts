import type { CustomFetch } from 'openid-client';
import { DomainError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { OutboundClient } from '../../lib/outbound/client.ts';
import type { FailureKind } from '../../lib/outbound/failure.ts';

/** How long a sign-in may wait for the provider in total. */
export const SIGN_IN_MS = 10_000;
const REQUEST_MS = 5_000;
const MAX_BODY_BYTES = 256 * 1_024;

/** The provider gave no sound answer. The reason is in our words: nothing of what the provider sent. */
export const unsound = (reason: string, cause?: unknown) =>
  new DomainError('SERVICE_UNAVAILABLE', reason, { cause });

const FAILURES: Record<FailureKind, string> = {
  'refused-address': 'An address of the identity provider is not public.',
  timeout: 'The identity provider did not answer in time.',
  dns: 'The host name of the identity provider does not resolve to a public address.',
  connect: 'No connection to the identity provider could be opened.',
  tls: 'The certificate of the identity provider could not be verified.',
  protocol: 'The identity provider did not answer in HTTP.',
};

/** When a sign-in that begins now must have its last answer. */
export const deadlineFromNow = () => performance.now() + SIGN_IN_MS;

/**
 * Sends the requests of the OpenID Connect library through the outbound client, which checks addresses and follows no redirects.
 * A body larger than the limit fails instead of being cut.
 */
export function providerFetch(outbound: OutboundClient, deadline: number): CustomFetch {
  return async (url, { method, headers, body }) => {
    const timeoutMs = Math.min(REQUEST_MS, deadline - performance.now());
    if (timeoutMs <= 0) throw unsound(FAILURES.timeout);
    const result = await outbound.request({
      url,
      method: method as 'GET' | 'POST',
      headers,
      ...(body != null && { body: String(body) }),
      timeoutMs,
      maxResponseBytes: MAX_BODY_BYTES + 1,
    });
    if (!result.ok) throw unsound(FAILURES[result.kind]);
    if (Buffer.byteLength(result.body) > MAX_BODY_BYTES) {
      throw unsound('An answer of the identity provider is larger than 256 KiB.');
    }
    const { status } = result;
    if (status < 200 || (status >= 300 && status < 400)) {
      throw unsound('The identity provider redirected a request; redirects are not followed.');
    }
    const contentType = result.headers['content-type'];
    if (status === 200 && contentType?.includes('json') && parseJson(result.body) === undefined) {
      throw unsound('An answer of the identity provider is not valid JSON.');
    }
    return new Response(status === 204 || status === 205 ? null : result.body, {
      status,
      headers: contentType ? { 'content-type': contentType } : {},
    });
  };
}

/** The error of ours behind one of the library; undefined if the library found the fault itself. */
export function ownErrorBehind(error: unknown): DomainError | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof DomainError) return each;
  }
  return undefined;
}
