import type { Middleware } from 'koa';
import type { App } from '../domain/app.ts';
import { publishedKeys, type ServiceKey } from '../domain/ledger/checkpoints/signing-key.ts';
import { formatVerifierKey } from '../proof-kit/index.ts';

const verifierKey = ({ name, publicKey }: ServiceKey) =>
  formatVerifierKey({ name, publicKey: Buffer.from(publicKey, 'base64') });

const pages: Record<string, { type: string; body: (keys: ServiceKey[]) => string }> = {
  '/.well-known/countersign-keys.json': {
    type: 'application/json',
    body: (keys) =>
      JSON.stringify({
        keys: keys.map((key) => ({
          name: key.name,
          keyId: key.id,
          vkey: verifierKey(key),
          publicKey: key.publicKey,
          from: key.createdAt.toISOString(),
          until: null,
        })),
      }),
  },
  '/.well-known/countersign-keys.txt': {
    type: 'text/plain',
    body: (keys) => keys.map((key) => `${verifierKey(key)}\n`).join(''),
  },
};

/** The public keys of checkpoints, newest first, for anybody who wants to check an export. */
export function wellKnownKeys(app: App): Middleware {
  return async (koa, next) => {
    const asked = koa.method === 'GET' || koa.method === 'HEAD';
    if (!asked || !Object.hasOwn(pages, koa.path)) return next();
    const { type, body } = pages[koa.path]!;
    koa.state['route'] = koa.path;
    koa.type = type;
    koa.set('Access-Control-Allow-Origin', '*');
    koa.set('Cache-Control', 'public, max-age=300');
    koa.body = body(await publishedKeys(app));
    return undefined;
  };
}
