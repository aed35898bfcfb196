import { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import type { JsonBody } from '../api/answer-size.ts';

/** Sends a large answer part by part, as the client takes it: writing it at once would block the process. */
export function setJson(koa: KoaContext, body: JsonBody): void {
  if (typeof body === 'string') {
    koa.body = body;
    return;
  }
  koa.body = Readable.from(body);
  koa.length = body.reduce((sum, part) => sum + part.length, 0);
}
