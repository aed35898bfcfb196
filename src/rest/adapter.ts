import type { Context as KoaContext } from 'koa';
import { type JsonBody, jsonAnswer } from '../api/answer-size.ts';
import { runIdempotently } from '../api/idempotency.ts';
import { inLargeBodyTurn } from '../api/large-bodies.ts';
import { type Credentials, openRequest } from '../api/open-request.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import { metered } from '../lib/row-meter.ts';
import type { Engine } from '../schema/engine.ts';
import { publicQueryError } from '../schema/errors.ts';
import { checkIsJson, parseJson, readBody } from './body.ts';
import { errorBody, statusOf } from './errors.ts';
import { attachContext, incoming } from './incoming.ts';
import { setJson } from './json-body.ts';
import { checkOrigin } from './origin.ts';
import type { AnyInput, Route } from './route.ts';
import { type PreparedRow, prepareRow, runRow, validInput } from './run-row.ts';

const credentials: Record<Route['auth'], Credentials> = { public: 'none', token: 'token', key: 'key' };

interface Answer {
  status: number;
  body: JsonBody | null;
}

/** Turns a row into a Koa handler. Errors propagate to the error middleware, which knows the error format of the path. */
export function serveRoute(app: App, engine: Engine, row: Route) {
  const prepared = prepareRow(engine, row);
  const changesState = row.method !== 'GET';
  const storesAnswers = changesState && row.auth !== 'public' && (row.idempotency ?? 'stored') === 'stored';

  return async (koa: KoaContext): Promise<void> => {
    const tier = row.auth === 'public' ? 'public' : row.countsAsWebhooks ? 'webhooks' : 'caller';
    const ctx = await openRequest(app, incoming(koa), {
      takes: credentials[row.auth],
      tier,
      cost: prepared.cost,
      ownQuery: true,
    });
    attachContext(koa, ctx);
    // Also set on replays: the original write has committed.
    ctx.wrote = changesState;
    // A key that may not write learns nothing but that.
    if (row.auth === 'key') prepared.checkAccess(ctx);
    if (changesState) checkOrigin(app, koa);
    const body = await readRaw(row, koa, ctx);
    await inLargeBodyTurn(ctx, body.length, () => metered(ctx.content, () => perform(koa, ctx, body)));
  };

  async function perform(koa: KoaContext, ctx: RequestContext, body: Buffer): Promise<void> {
    const raw = parseJson(body, prepared.dialect === 'proof');
    const input = validInput(prepared, rawInput(row, koa, raw));
    const { idempotencyKey } = input;
    if (idempotencyKey === null || !storesAnswers) {
      send(koa, row, await answer(prepared, ctx, input));
      return;
    }
    // A replay runs nothing, so callers that lost their access are rejected here.
    if (row.auth !== 'key') prepared.checkAccess(ctx);
    const request = { key: idempotencyKey, method: row.method, path: koa.path, body: raw };
    const result = await runIdempotently(ctx, request, async () => {
      const { status, body: text } = await answerOrFailure(prepared, ctx, input);
      return { status, body: Array.isArray(text) ? Buffer.concat(text).toString() : text };
    });
    if (result.replayed) koa.set('Idempotent-Replayed', 'true');
    send(koa, row, result);
  }
}

const NO_BODY = Buffer.alloc(0);

async function readRaw({ method }: Route, koa: KoaContext, ctx: RequestContext): Promise<Buffer> {
  if (method === 'GET' || method === 'DELETE') return NO_BODY;
  const body = await readBody(koa.req, ctx);
  checkIsJson(body, koa.req.headers['content-type']);
  return body;
}

function rawInput(row: Route, koa: KoaContext, body: unknown) {
  const ignored = row.method === 'GET' || row.idempotency === 'none';
  // An empty key is invalid too: its sender expects retries to be safe.
  const header = koa.req.headers['idempotency-key'] as string | undefined;
  const { params, query } = { params: koa['params'] as unknown, query: { ...koa.query } };
  return { params, query, body, idempotencyKey: ignored ? null : (header ?? null) };
}

async function answer(prepared: PreparedRow, ctx: RequestContext, input: AnyInput): Promise<Answer> {
  const { status, shown } = await runRow(prepared, ctx, input);
  return { status, body: shown === null ? null : await jsonAnswer(ctx, shown) };
}

/** A client error is stored under its key like a success. */
async function answerOrFailure(prepared: PreparedRow, ctx: RequestContext, input: AnyInput): Promise<Answer> {
  try {
    return await answer(prepared, ctx, input);
  } catch (error) {
    const shown = publicQueryError(error, ctx.app.log.child({ requestId: ctx.requestId }));
    const status = statusOf(shown.code, prepared.dialect);
    if (status >= 500 || shown.retryAfter !== undefined) throw error;
    return { status, body: JSON.stringify(errorBody(shown, prepared.dialect, ctx.requestId)) };
  }
}

function send(koa: KoaContext, row: Route, { status, body }: Answer): void {
  koa.status = status;
  if (body === null) {
    koa.body = null;
    koa.status = status;
    return;
  }
  koa.type = status < 400 ? (row.contentType ?? 'application/json') : 'application/json';
  setJson(koa, body);
}
