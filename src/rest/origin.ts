import type { Context as KoaContext } from 'koa';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';

/**
 * Keeps other sites from acting through a visitor's browser: with the visitor's cookie, or by signing the visitor in
 * as somebody else. Browsers say where a request comes from; programs that say nothing are not concerned.
 */
export function checkOrigin(app: App, koa: KoaContext): void {
  const origin = koa.get('Origin');
  const site = koa.get('Sec-Fetch-Site');
  if (origin === '' && (site === '' || site === 'same-origin' || site === 'none')) return;
  const own = [
    new URL(app.config.publicUrl).origin,
    `${koa.protocol}://${koa.host}`,
    ...app.config.corsOrigins,
  ];
  if (own.includes(origin)) return;
  throw new DomainError('FORBIDDEN', 'Pages of another origin may not change anything here.');
}
