import type { Middleware } from 'koa';
import type { App } from '../app.ts';

/** The response at `/` and `/api` for programs: links to everything else. */
export const entry = ({ config: { publicUrl } }: App) => ({
  name: 'Countersign',
  console: publicUrl,
  api: `${publicUrl}/api`,
  reference: `${publicUrl}/api/docs`,
  openapi: `${publicUrl}/api/openapi.json`,
  graphql: `${publicUrl}/graphql`,
  mcp: `${publicUrl}/mcp`,
  guides: `${publicUrl}/docs`,
  verify: `${publicUrl}/verify`,
  keys: `${publicUrl}/.well-known/countersign-keys.json`,
  log: `${publicUrl}/log/checkpoint`,
  health: `${publicUrl}/healthz`,
});

/** `/api` itself; the console has `/`. */
export function apiEntry(app: App): Middleware {
  return (koa, next) => {
    const here = koa.path === '/api' || koa.path === '/api/';
    if (!here || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    koa.state['route'] = '/api';
    koa.body = entry(app);
    return undefined;
  };
}
