import type { Context as KoaContext, Middleware } from 'koa';
import { openRequest, Refusal } from '../api/open-request.ts';
import type { PublicError } from '../api/public-error.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { metered } from '../lib/row-meter.ts';
import { checkIsJson, parseJson, readBody } from '../rest/body.ts';
import { nameOf } from '../rest/errors.ts';
import { attachContext, incoming } from '../rest/incoming.ts';
import { checkOrigin } from '../rest/origin.ts';
import type { Engine } from '../schema/engine.ts';
import type { McpHandler } from './handler.ts';
import { challenge, MCP_PATH, protectedResource } from './metadata.ts';
import { toolError } from './results.ts';

/** The Model Context Protocol over streamable HTTP, and its authorization metadata. */
export function mcp(app: App, engine: Engine): Middleware[] {
  return [protectedResource(app), serveMcp(app, engine)];
}

/** Errors about a whole message use the protocol's format with the code that REST would return. */
function rpcFailure({ code, message, details, retryAfter }: PublicError, requestId: string): object {
  const data = { code: nameOf(code, 'proof'), requestId, details, retryAfter };
  return { jsonrpc: '2.0', id: null, error: { code: rpcCodes[code] ?? SERVER_ERROR, message, data } };
}

const SERVER_ERROR = -32_000;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const rpcCodes: Partial<Record<PublicError['code'], number>> = {
  BAD_REQUEST: -32_700,
  VALIDATION_ERROR: -32_600,
  INTERNAL_ERROR: -32_603,
  DATABASE_ERROR: -32_603,
};

function serveMcp(app: App, engine: Engine): Middleware {
  // Loaded with the first message: many processes never get one, and it takes as much memory as all of GraphQL.
  let handler: Promise<McpHandler> | undefined;
  const load = async () => (await import('./handler.ts')).makeHandler(app, engine);

  async function serve(koa: KoaContext): Promise<void> {
    koa.state['route'] = MCP_PATH;
    koa.state['showError'] = rpcFailure;
    koa.set('Cache-Control', 'no-store');
    const ctx = await opened(app, koa);
    attachContext(koa, ctx);
    if (koa.method !== 'POST') {
      koa.set('Allow', 'POST');
      throw new DomainError(
        'METHOD_NOT_ALLOWED',
        'Use POST: this MCP server has no sessions, so it has no streams to open or end.',
      );
    }
    checkOrigin(app, koa);
    const body = await readBody(koa.req, ctx);
    checkIsJson(body, koa.req.headers['content-type']);
    const { message, fault } = readMessage(body);
    const answer = fault ? faulty(message, fault, ctx) : unserved(message);
    if (answer) {
      koa.status = fault ? 200 : 404;
      koa.type = 'application/json';
      koa.body = JSON.stringify(answer);
      return;
    }
    handler ??= load();
    const answerMessage = await handler;
    await metered(ctx.content, () => answerMessage(koa, ctx, message));
  }

  return (koa, next) => (koa.path === MCP_PATH ? serve(koa) : next());
}

/** Admits callers with an API key; all others get a link to the documentation. */
async function opened(app: App, koa: KoaContext): Promise<RequestContext> {
  try {
    // An MCP client cannot send X-Read-After back.
    return await openRequest(
      app,
      { ...incoming(koa), mayLag: false },
      { takes: 'key', tier: 'caller', ownQuery: true },
    );
  } catch (error) {
    const reason = error instanceof Refusal ? error.reason : error;
    if (reason instanceof DomainError && reason.code === 'UNAUTHORIZED') {
      koa.set('WWW-Authenticate', challenge(app, koa.req.headers.authorization !== undefined));
    }
    throw error;
  }
}

interface Message {
  id?: string | number | null;
  method?: unknown;
}

/** One message per request: a batch would count as one call, however many messages it holds. */
function readMessage(body: Buffer): { message: Message; fault: DomainError | null } {
  let fault: DomainError | null = null;
  let message: unknown;
  try {
    message = parseJson(body, true);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
    fault = error;
    message = JSON.parse(body.toString());
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new DomainError('VALIDATION_ERROR', 'Send one JSON-RPC message, as an object.');
  }
  return { message, fault };
}

/** Values that cannot be stored unchanged never reach a tool; the model is told what to change. */
function faulty({ id = null, method }: Message, fault: DomainError, { requestId }: RequestContext): object {
  const { code, message, details } = fault;
  if (method === 'tools/call') {
    const result = { resultType: 'complete', ...toolError({ code, message, details }, requestId) };
    return { jsonrpc: '2.0', id, result };
  }
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message, data: { details } } };
}

/** Nothing here changes while a client listens: the tools are fixed, and tasks are polled. */
function unserved({ id = null, method }: Message): object | null {
  if (method !== 'subscriptions/listen') return null;
  const message = 'There is nothing to listen to; ask for a task with tasks/get.';
  return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message } };
}
