import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { type Brand, brandAt } from '../domain/branding/brand.ts';

const ADDRESS = /^\/brand\/([a-z0-9.-]{1,253})\/(logo|style\.css)$/;
const KEPT_MS = 30_000;
const KEPT = 1_000;

/** A logo comes from a tenant. Opened directly, it may not run or load anything. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** A tenant's brand, served from here: no page loads anything from a tenant's server, which could track visitors. */
export function brandFiles(app: App): Middleware {
  const find = makeBrandFinder(app);
  return async (koa, next) => {
    const [, domain, file] = ADDRESS.exec(koa.path) ?? [];
    if (!domain || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    koa.state['route'] = '/brand';
    const brand = await find(domain);
    if (file === 'logo') return sendLogo(koa, brand);
    return sendStyle(koa, brand);
  };
}

/** The brand of a domain, cached briefly: pages request it before sign-in. */
export function makeBrandFinder({ db, config }: App): (domain: string) => Promise<Brand | null> {
  const known = new LRUCache<string, { brand: Brand | null }>({ max: KEPT, ttl: KEPT_MS });
  return async (domain) => {
    const cached = known.get(domain);
    if (cached) return cached.brand;
    const brand = await brandAt(db.declared('acrossTenants'), domain, config.enforcePlanFeatures);
    known.set(domain, { brand });
    return brand;
  };
}

function sendLogo(koa: Context, brand: Brand | null): void {
  if (!brand?.logo) {
    koa.status = 404;
    return;
  }
  koa.set('Content-Security-Policy', LOGO_POLICY);
  koa.set('Cross-Origin-Resource-Policy', 'same-origin');
  koa.set('X-Content-Type-Options', 'nosniff');
  koa.set('Cache-Control', 'public, max-age=60');
  koa.type = brand.logo.type;
  koa.body = brand.logo.bytes;
}

/** The colors of the proof page. Every value is computed here from six hexadecimal digits. */
function sendStyle(koa: Context, brand: Brand | null): void {
  koa.type = 'css';
  koa.set('Cache-Control', 'public, max-age=60');
  if (!brand?.colors) {
    koa.body = '';
    return;
  }
  const { light, dark } = brand.colors;
  const rule = ({ accent, ink }: typeof light) => `:root{--accent:${accent};--accent-ink:${ink}}`;
  const seal = `:root{--seal:${light.accent};--seal-ink:${light.ink}}`;
  koa.body = `${seal}${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
}
