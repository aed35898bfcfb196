import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/keys/published.ts';
import { type PublishedLog, publishedLogs } from '../../domain/ledger/log/published.ts';
import { SigningRefused } from '../../domain/ledger/notes/faults.ts';

interface Published extends PublishedKeys {
  logs: PublishedLog[];
  /** The address of the statements that closed logs. */
  closings: string;
}

const pages: Record<string, { type: string; body: (published: Published) => string }> = {
  '/.well-known/countersign-keys.json': {
    type: 'application/json',
    body: ({ keys, history, logs, closings }) =>
      JSON.stringify({
        keys: keys.map(({ name, keyId, vkey, publicKey, from, until, signedBy }) => ({
          name,
          keyId,
          vkey,
          publicKey,
          from,
          until,
          signedBy,
        })),
        history,
        logs,
        closings,
      }),
  },
  '/.well-known/countersign-keys.txt': {
    type: 'text/plain',
    body: ({ keys }) => keys.map(({ vkey }) => `${vkey}\n`).join(''),
  },
};

/** The keys are published even if the statement of a closed log is invalid. */
function noLogs(error: unknown): PublishedLog[] {
  if (error instanceof SigningRefused) return [];
  throw error;
}

/** The public keys of checkpoints, newest first, for verifying exports. */
export function wellKnownKeys(app: App): Middleware {
  return async (koa, next) => {
    const asked = koa.method === 'GET' || koa.method === 'HEAD';
    if (!asked || !Object.hasOwn(pages, koa.path)) return next();
    const { type, body } = pages[koa.path]!;
    koa.state['route'] = koa.path;
    koa.set('Access-Control-Allow-Origin', '*');
    // An unreadable history is an error, which must not be cached.
    const published = {
      ...(await publishedKeys(app)),
      logs: await publishedLogs(app).catch(noLogs),
      closings: `${app.config.publicUrl}/log/closings`,
    };
    koa.type = type;
    koa.set('Cache-Control', 'public, max-age=300');
    koa.body = body(published);
    return undefined;
  };
}
