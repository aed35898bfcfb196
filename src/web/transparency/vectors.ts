import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';

const FOLDER = new URL('../../../vectors/', import.meta.url);
/** Matches only files inside the folder. */
const FILE =
  /^\/vectors\/((?:(?:genuine|partial|conditional|consistent|falsified|contradicting)\/)?[a-z0-9A-Z-]+\.json)$/;
const VERDICTS = 'verdicts.json';

/** /vectors: the test vectors for authors of verifiers. */
export function vectorFiles(): Middleware {
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    const isList = koa.path === '/vectors' || koa.path === '/vectors/';
    const name = isList ? VERDICTS : FILE.exec(koa.path)?.[1];
    const body = name === undefined ? null : await readFile(new URL(name, FOLDER), 'utf8').catch(() => null);
    if (body === null) return next();
    koa.state['route'] = '/vectors';
    // Some of them are not valid JSON on purpose, so they are served as downloads.
    koa.type = 'application/json';
    koa.set('Access-Control-Allow-Origin', '*');
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.body = body;
    return undefined;
  };
}
