import { Readable } from 'node:stream';
import type { Context as KoaContext, Middleware } from 'koa';
import { chargedStream, checked } from '../api/answer-size.ts';
import { inLargeBodyTurn } from '../api/large-bodies.ts';
import { callerName, credentialOf, openRequest } from '../api/open-request.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import { STOPPING } from '../lib/drain.ts';
import { DomainError, validationError } from '../lib/errors.ts';
import { isLoss, textFault } from '../lib/json-faults.ts';
import { metered } from '../lib/row-meter.ts';
import { takeUntil } from '../lib/take-until.ts';
import { makeDirectGraphQL } from '../schema/direct.ts';
import type { Engine } from '../schema/engine.ts';
import { type GraphQLServer, makeYoga } from '../schema/yoga.ts';
import { checkIsJson, readBody, readJson } from './body.ts';
import { graphqlBody } from './errors.ts';
import { attachContext, incoming } from './incoming.ts';
import { setJson } from './json-body.ts';
import { checkOrigin } from './origin.ts';
import { makeStreamSlots, type StreamSlots } from './stream-slots.ts';

/** GraphiQL is one page with inline script and style. */
const GRAPHIQL_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'";

/** The GraphQL-over-HTTP media type: with it, the status shows whether the request was valid. */
const GRAPHQL_RESPONSE = 'application/graphql-response+json';

const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i;

/** Serves /graphql: requests are authenticated and limited like REST requests, then run by the direct handler or by Yoga. */
export function serveGraphQL(app: App, engine: Engine): Middleware {
  const yoga = makeYoga(app, engine);
  const direct = makeDirectGraphQL(engine);
  const slots = makeStreamSlots();
  async function serve(koa: KoaContext): Promise<void> {
    koa.state['route'] = '/graphql';
    koa.state['showError'] = graphqlBody;
    koa.set('Cache-Control', 'no-store');
    if (koa.accepts('application/json', GRAPHQL_RESPONSE) === GRAPHQL_RESPONSE)
      koa.state['errorType'] = GRAPHQL_RESPONSE;
    const context = await openRequest(app, incoming(koa), { takes: 'any', tier: 'graphql', ownQuery: false });
    attachContext(koa, context);
    checkAccepts(app, koa);
    if (koa.method !== 'GET') checkOrigin(app, koa);
    const hasBody = koa.method !== 'GET' && koa.method !== 'HEAD';
    const body = hasBody ? await readBody(koa.req, context) : null;
    if (body) checkIsJson(body, koa.req.headers['content-type']);
    return inLargeBodyTurn(context, body?.length ?? 0, () =>
      metered(context.content, () => answered(koa, context, body)),
    );
  }

  async function answered(koa: KoaContext, context: RequestContext, body: Buffer | null): Promise<void> {
    const posted = body && parsed(body);
    const answer = posted && isPlainPost(koa) ? await direct(posted, context) : null;
    if (answer === null) return askYoga(yoga, slots, koa, context, body);
    koa.status = answer.status;
    koa.set(answer.headers);
    koa.type = 'application/json; charset=utf-8';
    setJson(koa, answer.body);
  }
  return (koa, next) => (koa.path === '/graphql' ? serve(koa) : next());
}

const ANSWERS = ['application/json', GRAPHQL_RESPONSE, 'text/event-stream', 'multipart/mixed'];

/** A browser that requests HTML gets GraphiQL, if enabled. */
function checkAccepts({ config }: App, koa: KoaContext): void {
  if (koa.accepts(config.production ? ANSWERS : [...ANSWERS, 'text/html'])) return;
  throw new DomainError('NOT_ACCEPTABLE', `The Accept header must allow one of: ${ANSWERS.join(', ')}.`);
}

/** The request is JSON and accepts JSON. */
function isPlainPost(koa: KoaContext): boolean {
  const { accept, 'content-type': type } = koa.req.headers;
  const welcome = accept === undefined || accept === '*/*' || accept === 'application/json';
  return welcome && koa.method === 'POST' && type !== undefined && JSON_TYPE.test(type);
}

/** Values that JSON.parse would drop or change are rejected as on /v1, since they may be about to be sealed. */
function parsed(body: Buffer): unknown {
  const { text, value } = readJson(body);
  const fault = textFault(text, value, true);
  if (fault && isLoss(fault)) throw validationError([fault]);
  return value;
}

async function askYoga(
  yoga: GraphQLServer,
  slots: StreamSlots,
  koa: KoaContext,
  context: RequestContext,
  body: Buffer | null,
): Promise<void> {
  const token = credentialOf(incoming(koa))?.token ?? null;
  // A disconnected client ends its subscriptions.
  const gone = new AbortController();
  koa.res.once('close', () => gone.abort());
  const response = await yoga.fetch(toRequest(koa, body, gone.signal), { context, token });
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (streams) holdSlot(slots, context, gone);
  koa.status = response.status;
  response.headers.forEach((value, name) => {
    koa.set(name, value);
  });
  if (koa.response.is('html')) koa.set('Content-Security-Policy', GRAPHIQL_POLICY);
  if (streams) {
    const chunks = chargedStream(context, response.body as AsyncIterable<Uint8Array>);
    koa.body = Readable.from(takeUntil(chunks, stopping(koa)));
  } else koa.body = checked(await response.text());
}

/** On shutdown a stream ends cleanly, and its reader reconnects elsewhere. */
function stopping({ res }: KoaContext): Promise<unknown> {
  return new Promise((resolve) => res.once(STOPPING, resolve));
}

/** Takes a slot until the response ends; without one the stream ends before it begins. */
function holdSlot(slots: StreamSlots, context: RequestContext, gone: AbortController): void {
  try {
    // Not a listener on the response: with those of Koa and Node it would trigger Node's leak warning.
    gone.signal.addEventListener('abort', slots.take(callerName(context)), { once: true });
  } catch (error) {
    gone.abort();
    throw error;
  }
}

function toRequest(koa: KoaContext, body: Buffer | null, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(koa.req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(`http://localhost${koa.url}`, {
    method: koa.method,
    headers,
    signal,
    ...(body && { body: new Uint8Array(body) }),
  });
}
