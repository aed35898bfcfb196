import { Readable } from 'node:stream';
import type { Context as KoaContext, Middleware } from 'koa';
import { type App, credentialOf, openRequest } from '../schema/request.ts';
import type { GraphQLServer } from '../schema/yoga.ts';
import { readBody } from './body.ts';
import { incoming } from './incoming.ts';
import { checkOrigin } from './origin.ts';

/** GraphiQL is one page that carries its own script and style. */
const GRAPHIQL_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'";

/** Serves /graphql: the same door, limits and headers as REST, then Yoga. */
export function serveGraphQL(app: App, yoga: GraphQLServer): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/graphql') return next();
    koa.state['route'] = '/graphql';
    const context = await openRequest(app, incoming(koa), 'any', 'caller');
    koa.state['context'] = context;
    if (koa.method !== 'GET') checkOrigin(app, koa);
    const response = await yoga.fetch(await toRequest(koa), {
      context,
      token: credentialOf(incoming(koa))?.token ?? null,
    });
    koa.status = response.status;
    response.headers.forEach((value, name) => {
      koa.set(name, value);
    });
    if (koa.response.is('html')) koa.set('Content-Security-Policy', GRAPHIQL_POLICY);
    const streams = koa.response.get('Content-Type').startsWith('text/event-stream');
    koa.body = streams ? Readable.from(response.body as AsyncIterable<Uint8Array>) : await response.text();
    return undefined;
  };
}

async function toRequest(koa: KoaContext): Promise<Request> {
  // A client that goes away ends its subscriptions.
  const gone = new AbortController();
  koa.res.once('close', () => gone.abort());
  const hasBody = koa.method !== 'GET' && koa.method !== 'HEAD';
  const headers = new Headers();
  for (const [name, value] of Object.entries(koa.req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(`http://localhost${koa.url}`, {
    method: koa.method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: new Uint8Array(await readBody(koa.req)) }),
  });
}
