import type { Context as KoaContext } from 'koa';
import type { IncomingRequest } from '../api/open-request.ts';
import type { RequestContext } from '../api/request-context.ts';
import { canonicalAddress } from '../lib/client-address.ts';
import { newRequestId } from '../lib/ids.ts';

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's request id if it is a valid token, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE_ID.test(header) ? header : newRequestId();
}

/** The caller's address in canonical form: the socket's, or the one seen by the last trusted proxy. */
export function addressOf(koa: KoaContext, trustedProxies: number): string {
  const socket = canonicalAddress(koa.req.socket.remoteAddress ?? '') ?? '';
  if (trustedProxies === 0) return socket;
  const forwarded = koa
    .get('X-Forwarded-For')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const named = forwarded.at(-trustedProxies) ?? forwarded[0];
  return (named !== undefined && canonicalAddress(named)) || socket;
}

export function cookiesOf(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = {};
  for (const pair of header?.split(';') ?? []) {
    const cut = pair.indexOf('=');
    if (cut > 0) cookies[pair.slice(0, cut).trim()] = pair.slice(cut + 1).trim();
  }
  return cookies;
}

export function incoming(koa: KoaContext): IncomingRequest {
  return {
    requestId: koa.state['requestId'] as string,
    address: koa.state['address'] as string,
    userAgent: koa.req.headers['user-agent'] || null,
    authorization: koa.req.headers.authorization,
    cookies: koa.state['cookies'] as Record<string, string>,
    readAfter: (koa.req.headers['x-read-after'] as string | undefined) ?? null,
    mayLag: true,
  };
}

/** Makes the context known to the middleware in front, which releases what it holds. */
export function attachContext(koa: KoaContext, context: RequestContext): void {
  koa.state['context'] = context;
  if (koa.res.closed) context.content?.abandon();
}
