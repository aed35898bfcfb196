import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';

const FOLDER = new URL('../../../vectors/', import.meta.url);
/** Nothing but what is in the folder can be named so. */
const FILE =
  /^\/vectors\/((?:(?:genuine|partial|conditional|consistent|falsified|contradicting)\/)?[a-z0-9A-Z-]+\.json)$/;
const VERDICTS = 'verdicts.json';

/** /vectors: the documents that every verifier must judge alike, for those who write one. */
export function vectorFiles(): Middleware {
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    const isList = koa.path === '/vectors' || koa.path === '/vectors/';
    const name = isList ? VERDICTS : FILE.exec(koa.path)?.[1];
    const body = name === undefined ? null : await readFile(new URL(name, FOLDER), 'utf8').catch(() => null);
    if (body === null) return next();
    koa.state['route'] = '/vectors';
    // Some of them are falsified so far that they are no JSON: they are files to be fetched, not answers to be read.
    koa.type = 'application/json';
    koa.set('Access-Control-Allow-Origin', '*');
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.body = body;
    return undefined;
  };
}
