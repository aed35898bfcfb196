import cors from '@koa/cors';
import Koa from 'koa';
import type { App } from '../api/request-context.ts';
import type { Engine } from '../schema/engine.ts';
import { observe, renderErrors, secure } from './frame.ts';
import { serveGraphQL } from './graphql.ts';
import { checkHost } from './host.ts';
import { makeRouter } from './router.ts';
import { routes } from './routes/index.ts';

/** The HTTP application of a process, ready to listen. */
export function makeHttpApp(app: App, engine: Engine, pages: Koa.Middleware[]): Koa {
  const koa = new Koa();
  koa.silent = true; // failures are logged once, with their request id, where they are answered
  const allowed = new Set(app.config.corsOrigins);
  koa
    .use(observe(app))
    .use(secure(app))
    .use(
      cors({
        origin: ({ header }) => (header.origin && allowed.has(header.origin) ? header.origin : ''),
        credentials: true,
        maxAge: 600,
        allowHeaders: [
          'Authorization',
          'Content-Type',
          'Idempotency-Key',
          'X-Read-After',
          'X-Request-Id',
          // The headers that MCP clients send.
          'Mcp-Protocol-Version',
          'Mcp-Method',
          'Mcp-Name',
        ],
        exposeHeaders: [
          'X-Request-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Retry-After',
          'Idempotent-Replayed',
          'X-Read-After',
          'WWW-Authenticate',
        ],
      }),
    )
    .use(renderErrors(app))
    .use(checkHost(app))
    .use(serveGraphQL(app, engine));
  const { rows, elsewhere } = makeRouter(app, engine, routes);
  koa.use(rows);
  for (const page of pages) koa.use(page);
  return koa.use(elsewhere);
}
