import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context as KoaContext } from 'koa';
import { chargedStream } from '../api/answer-size.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import type { Engine } from '../schema/engine.ts';
import { makeServers } from './server.ts';

/** Answers one protocol message on behalf of its sender. */
export type McpHandler = (koa: KoaContext, context: RequestContext, message: unknown) => Promise<void>;

export function makeHandler(app: App, engine: Engine): McpHandler {
  const makeServer = makeServers(engine);
  const handler = createMcpHandler(({ era, authInfo }) => makeServer(contextIn(authInfo?.extra), era), {
    onerror: (error) => app.log.debug({ err: error }, 'a message over MCP was refused'),
  });

  return async (koa, context, message) => {
    const gone = new AbortController();
    koa.res.once('close', () => gone.abort());
    const request = await toWebRequest(koa.req, message, { signal: gone.signal });
    // The key itself goes no further: its owner is in the context.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { context } };
    const response = await handler.fetch(request, { authInfo, parsedBody: message });
    koa.status = response.status;
    response.headers.forEach((value, name) => {
      koa.set(name, value);
    });
    const body = response.body as ReadableStream<Uint8Array> | null;
    koa.body = body && Readable.from(chargedStream(context, body));
    koa.status = response.status;
  };
}

const contextIn = (extra: Record<string, unknown> | undefined) => extra!['context'] as RequestContext;
