import { isIP } from 'node:net';
import type { Middleware } from 'koa';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { graphqlBody, isScimPath, SCIM_TYPE, scimBody } from './errors.ts';

/** Paths that health checks request by IP address. A page using DNS rebinding can only send its own domain name. */
const PROBED = new Set(['/healthz', '/readyz']);

const isLoopback = (name: string) =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '::1' ||
  (isIP(name) === 4 && /^127\./.test(name));

/** The name in a Host header, without port and brackets, in lower case; null if there is none. */
function hostName(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@/\\\s]+))(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '');
  return (match?.[1] ?? match?.[2]?.replace(/\.$/, '')) || null;
}

/**
 * Rejects requests for another host: a web page whose domain points at this address (DNS rebinding) could otherwise read and
 * act here with our origin. Behind a trusted proxy, the proxy decides.
 */
export function checkHost({ config }: App): Middleware {
  const own = new Set([hostName(new URL(config.publicUrl).host), ...config.allowedHosts.map(hostName)]);
  return (koa, next) => {
    if (isScimPath(koa.path)) Object.assign(koa.state, { showError: scimBody, errorType: SCIM_TYPE });
    const name = hostName(koa.req.headers.host);
    const known = name !== null && (own.has(name) || isLoopback(name));
    const probe = PROBED.has(koa.path) && (name === null || isIP(name) > 0);
    if (known || probe || config.trustedProxies > 0) return next();
    if (koa.path === '/graphql') koa.state['showError'] = graphqlBody;
    throw new DomainError(
      'MISDIRECTED_REQUEST',
      'The Host header does not name this service; set PUBLIC_URL or ALLOWED_HOSTS to serve it.',
    );
  };
}
