import type { Context as KoaContext } from 'koa';
import { credentialOf } from '../api/open-request.ts';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { incoming } from './incoming.ts';

/**
 * Keeps other sites from acting with a visitor's cookie. Browsers say where a request comes from; programs that say
 * nothing carry no cookie by accident. Callers with a header credential are not concerned.
 */
export function checkOrigin(app: App, koa: KoaContext): void {
  if (!credentialOf(incoming(koa))?.fromCookie) return;
  const origin = koa.get('Origin');
  const site = koa.get('Sec-Fetch-Site');
  if (origin === '' && (site === '' || site === 'same-origin' || site === 'none')) return;
  const own = [
    new URL(app.config.publicUrl).origin,
    `${koa.protocol}://${koa.host}`,
    ...app.config.corsOrigins,
  ];
  if (own.includes(origin)) return;
  throw new DomainError('FORBIDDEN', 'This origin may not act with the session cookie.');
}
