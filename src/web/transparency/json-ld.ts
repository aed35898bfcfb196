import { jsonldContext } from '@countersign/proof-kit';
import type { Middleware } from 'koa';

/** /schemas/decision-proof/v2: the JSON-LD context of our exports. */
export function jsonLdContext(schemaUrl: string): Middleware {
  const body = JSON.stringify(jsonldContext(schemaUrl));
  return (koa, next) => {
    if (koa.path !== '/schemas/decision-proof/v2') return next();
    koa.state['route'] = koa.path;
    koa.type = 'application/ld+json';
    koa.set('Access-Control-Allow-Origin', '*');
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.body = body;
    return undefined;
  };
}
