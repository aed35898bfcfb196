import { parseOrigin, parseTilePath } from '@countersign/proof-kit';
import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import {
  chainConsistency,
  closedHead,
  closedTile,
  publishedClosings,
  publishedHead,
  signedTile,
} from '../../domain/ledger/log/published.ts';
import { HistoryChanged } from '../../domain/ledger/notes/faults.ts';
import { publicProof } from '../../domain/ledger/signing/signed-proof.ts';

const PREFIX = '/log/';
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;
const HASH = /^[0-9a-f]{64}$/;
const CLOSED = /^([1-9]\d{0,3})\/(.+)$/;
const PLACES = ['checkpoint', 'tile', 'consistency', 'inclusion', 'closings'];
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const CACHE_BRIEFLY = 'public, max-age=1';

/**
 * The head log as C2SP tlog-tiles: `/log/checkpoint`, `/log/tile/…`. Witnesses and monitors get consistency proofs of the chains
 * at `/log/consistency?origin=…&from=…&to=…`; holders of receipts get inclusion proofs of records at
 * `/log/inclusion?origin=…&index=…&hash=…`. Logs that were closed after a loss stay at `/log/1/…`;
 * `/log/closings` gives the statements that closed them.
 */
export function headLog(app: App): Middleware {
  async function checkpoint(koa: Context): Promise<void> {
    const head = await publishedHead(app);
    if (!head) return notFound(koa);
    koa.type = 'text/plain; charset=utf-8';
    koa.set('Cache-Control', CACHE_BRIEFLY);
    koa.body = head.note;
  }

  async function tile(koa: Context, path: string): Promise<void> {
    const id = parseTilePath(path);
    const bytes = id && (await signedTile(app, id));
    if (!bytes) return notFound(koa);
    koa.type = 'application/octet-stream';
    koa.set('Cache-Control', CACHE_FOREVER);
    koa.body = bytes;
  }

  async function consistency(koa: Context): Promise<void> {
    const [origin, from, to] = ['origin', 'from', 'to'].map((name) => String(koa.query[name] ?? ''));
    const isAsked = WHOLE.test(from!) && WHOLE.test(to!);
    const hashes = isAsked
      ? await chainConsistency(app, origin!, Number(from), Number(to)).catch(nothingProven)
      : null;
    if (!hashes) return notFound(koa);
    koa.set('Cache-Control', CACHE_BRIEFLY);
    koa.body = { hashes: hashes.map((hash) => Buffer.from(hash, 'hex').toString('base64')) };
  }

  /**
   * For holders of receipts: the inclusion proof of a record, without its content. The hash proves that the caller holds a
   * receipt; without it, anyone could count the records of a chain and collect the hashes of neighbors.
   */
  async function inclusion(koa: Context): Promise<void> {
    const [origin, index, hash] = ['origin', 'index', 'hash'].map((name) => String(koa.query[name] ?? ''));
    if (!WHOLE.test(index!) || !HASH.test(hash!) || !parseOrigin(origin!)?.chain) return notFound(koa);
    const proof = await publicProof(app, origin!, Number(index), hash!);
    koa.set('Cache-Control', CACHE_BRIEFLY);
    koa.body = {
      checkpointSeconds: app.config.checkpoints.everySeconds,
      inclusion: proof?.inclusion ?? null,
      head: proof?.head ?? null,
    };
  }

  /** A log that was closed after a loss: its last known head and its tiles. */
  async function closedLog(koa: Context, number: number, path: string): Promise<void> {
    if (path === 'checkpoint') {
      const note = await closedHead(app, number);
      if (note === null) return notFound(koa);
      koa.type = 'text/plain; charset=utf-8';
      koa.set('Cache-Control', CACHE_BRIEFLY);
      koa.body = note;
      return undefined;
    }
    const id = parseTilePath(path);
    const bytes = id && (await closedTile(app, number, id));
    if (!bytes) return notFound(koa);
    koa.type = 'application/octet-stream';
    koa.set('Cache-Control', CACHE_FOREVER);
    koa.body = bytes;
    return undefined;
  }

  /** The signed statements that closed earlier logs, oldest first. */
  async function closings(koa: Context): Promise<void> {
    koa.set('Cache-Control', CACHE_BRIEFLY);
    koa.body = (await publishedClosings(app)).map(({ closing }) => closing);
  }

  return async (koa, next) => {
    const asked = koa.method === 'GET' || koa.method === 'HEAD';
    if (!asked || !koa.path.startsWith(PREFIX)) return next();
    const path = koa.path.slice(PREFIX.length);
    koa.set('Access-Control-Allow-Origin', '*');
    const closed = CLOSED.exec(path);
    const [place] = (closed?.[2] ?? path).split('/');
    koa.state['route'] = `${PREFIX}${PLACES.includes(place!) ? place : '…'}`;
    if (closed) await closedLog(koa, Number(closed[1]), closed[2]!);
    else if (path === 'checkpoint') await checkpoint(koa);
    else if (path === 'consistency') await consistency(koa);
    else if (path === 'inclusion') await inclusion(koa);
    else if (path === 'closings') await closings(koa);
    else await tile(koa, path);
    return undefined;
  };
}

/** An altered tree proves nothing; the caller gets the same response as for a missing chain. */
function nothingProven(error: unknown): null {
  if (error instanceof HistoryChanged) return null;
  throw error;
}

function notFound(koa: Context): void {
  koa.status = 404;
  koa.type = 'text/plain';
  koa.set('Cache-Control', 'no-store');
  koa.body = 'This part of the log was not found.\n';
}
