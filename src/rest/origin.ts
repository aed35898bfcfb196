import type { Context as KoaContext } from 'koa';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';

/**
 * Prevents cross-site requests that use a visitor's cookie or sign the visitor in as someone else. Browsers send the origin of
 * a request; clients that send none are not affected.
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
  throw new DomainError(
    'FORBIDDEN',
    'Requests from pages of another origin are refused; call from a server, or add the origin to CORS_ORIGINS.',
  );
}
