import type { Context, Middleware } from 'koa';
import type { App } from '../domain/app.ts';
import { HistoryChanged } from '../domain/ledger/checkpoints/finding.ts';
import { chainGrowth, publishedHead, publishedTile } from '../domain/ledger/checkpoints/log/published.ts';
import { parseTilePath } from '../proof-kit/index.ts';

const PREFIX = '/log/';
const CHAIN = /^chains\/(0|[1-9]\d{0,8})\/([a-z]{1,32})\/consistency$/;
const SIZES = /^\d{1,10}(?:,\d{1,10})*$/;
const FOR_EVER = 'public, max-age=31536000, immutable';
const A_MOMENT = 'public, max-age=1';

/**
 * The head log in the form of C2SP tlog-tiles: `/log/checkpoint`, `/log/tile/…`; and beside it, for those who follow single
 * chains, the proofs that these only grew, or with one size that they are still there:
 * `/log/chains/<center>/<domain>/consistency?sizes=3,7,20`.
 */
export function headLog(app: App): Middleware {
  async function checkpoint(koa: Context): Promise<void> {
    const head = await publishedHead(app);
    if (!head) return notFound(koa);
    koa.type = 'text/plain; charset=utf-8';
    koa.set('Cache-Control', A_MOMENT);
    koa.body = head.note;
  }

  async function tile(koa: Context, path: string): Promise<void> {
    const id = parseTilePath(path);
    const bytes = id && (await publishedTile(app, id));
    if (!bytes) return notFound(koa);
    koa.type = 'application/octet-stream';
    koa.set('Cache-Control', FOR_EVER);
    koa.body = bytes;
  }

  async function consistency(koa: Context, chain: { center: number; domain: string }): Promise<void> {
    const sizes = String(koa.query['sizes'] ?? '');
    const growth = SIZES.test(sizes) ? await growthOf(chain, sizes.split(',').map(Number)) : null;
    if (!growth) return notFound(koa);
    koa.set('Cache-Control', A_MOMENT);
    koa.body = growth;
  }

  /** A tree that is not what it was proves nothing: to the caller that is the same as a chain that is not there. */
  function growthOf(chain: { center: number; domain: string }, sizes: number[]) {
    return chainGrowth(app, chain, sizes).catch((error: unknown) => {
      if (error instanceof HistoryChanged) return null;
      throw error;
    });
  }

  return async (koa, next) => {
    const asked = koa.method === 'GET' || koa.method === 'HEAD';
    if (!asked || !koa.path.startsWith(PREFIX)) return next();
    const path = koa.path.slice(PREFIX.length);
    koa.set('Access-Control-Allow-Origin', '*');
    const [place] = path.split('/');
    koa.state['route'] = `${PREFIX}${['checkpoint', 'tile', 'chains'].includes(place!) ? place : '…'}`;
    const chain = CHAIN.exec(path);
    if (path === 'checkpoint') await checkpoint(koa);
    else if (chain) await consistency(koa, { center: Number(chain[1]), domain: chain[2]! });
    else await tile(koa, path);
    return undefined;
  };
}

function notFound(koa: Context): void {
  koa.status = 404;
  koa.type = 'text/plain';
  koa.set('Cache-Control', 'no-store');
  koa.body = 'There is no such part of the log.\n';
}
