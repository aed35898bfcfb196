import type { Context, Middleware } from 'koa';
import { Refusal } from '../../api/open-request.ts';
import { quotaFor } from '../../api/rates.ts';
import type { App } from '../../app.ts';
import { brandsOf } from '../../domain/branding/brand.ts';
import { findPublicProof, makeVerificationNotifier } from '../../domain/decisions/prove/public-proof.ts';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/keys/published.ts';
import { RateLimitExceeded } from '../../domain/limits/limiter.ts';
import { DomainError } from '../../lib/errors.ts';
import { assetAt } from './assets.ts';
import type { PageBrand } from './layout.ts';
import { brokenPage, notFoundPage, startPage } from './other-pages.ts';
import { recordPage } from './record-page.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const ADDRESS = /^\/verify(?:\/([^/]+)(\/proof\.json)?)?\/?$/;

/** /verify/{id}: the decision, and a verdict computed in the visitor's browser. */
export function verifyPages(app: App): Middleware {
  const tell = makeVerificationNotifier(app);
  /** Without a valid key history no key can be shown; the broken record is shown as such anyway. */
  const keys = async () => {
    const { keys } = await publishedKeys(app).catch((error: unknown): Pick<PublishedKeys, 'keys'> => {
      if (error instanceof DomainError) return { keys: [] };
      throw error;
    });
    return keys.map(({ name, publicKey, until, vouched }) => ({
      name,
      publicKey,
      ...(until !== null && { until }),
      ...(!vouched && { isUnvouched: true }),
    }));
  };

  /** Ids cannot be guessed; lookups count against the rate limit of public endpoints to deter attempts. */
  async function countLookup(koa: Context): Promise<void> {
    const quota = quotaFor('public', { kind: 'anonymous' }, String(koa.state['address']), app.config.rates);
    try {
      koa.state['rate'] = await app.limiter.count(quota, new Date());
    } catch (error) {
      throw error instanceof RateLimitExceeded ? new Refusal(error, error.rate) : error;
    }
  }

  async function showRecord(koa: Context, id: string): Promise<void> {
    const proof = await findPublicProof(app, id);
    if (!proof) {
      koa.status = 404;
      koa.body = notFoundPage(await keys());
      return;
    }
    if (koa.method === 'GET') await tell(proof, String(koa.state['address']));
    const { document } = proof;
    if (!document) {
      koa.body = brokenPage(await keys());
      return;
    }
    const { centerName } = proof;
    koa.body = recordPage({ id, centerName, brand: await brandOf(proof.centerId) }, document, await keys());
  }

  async function brandOf(centerId: number): Promise<PageBrand> {
    const { enforcePlanFeatures } = app.config;
    const brands = await brandsOf(app.db.declared('acrossTenants'), [centerId], enforcePlanFeatures);
    const { centerDomain, name, logo, colors } = brands.get(centerId)!;
    return { centerDomain, name, hasLogo: logo !== null, hasColors: colors !== null };
  }

  async function sendProof(koa: Context, id: string): Promise<void> {
    const proof = await findPublicProof(app, id);
    koa.type = 'application/ld+json';
    const document = proof?.document;
    if (!document) {
      koa.status = proof ? 422 : 404;
      koa.body = JSON.stringify({
        error: proof
          ? { code: 'CHAIN_BROKEN', message: 'What is stored under this id is not what was sealed.' }
          : { code: 'NOT_FOUND', message: 'There is no sealed proof with this id.' },
      });
      return;
    }
    koa.attachment(`decision-proof-${id}.json`);
    koa.type = 'application/ld+json';
    koa.body = JSON.stringify(document, null, 2);
  }

  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (!koa.path.startsWith('/verify')) return next();
    const asset = assetAt(koa.path);
    if (asset) {
      koa.state['route'] = '/verify/assets';
      koa.type = asset.type;
      koa.set('Cache-Control', 'public, max-age=31536000, immutable');
      koa.body = asset.body;
      return undefined;
    }
    const address = ADDRESS.exec(koa.path);
    if (!address) return next();
    const [, id, file] = address;
    koa.state['route'] = '/verify';
    koa.set('Content-Security-Policy', POLICY);
    koa.set('Cache-Control', 'no-store');
    koa.type = 'html';
    if (id === undefined) {
      koa.body = startPage(await keys());
      return undefined;
    }
    await countLookup(koa);
    await (file ? sendProof(koa, id) : showRecord(koa, id));
    return undefined;
  };
}
