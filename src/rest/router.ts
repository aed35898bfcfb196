import Router from '@koa/router';
import type { Middleware } from 'koa';
import { openRequest } from '../api/open-request.ts';
import type { App } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import type { Engine } from '../schema/engine.ts';
import { serveRoute } from './adapter.ts';
import { incoming } from './incoming.ts';
import type { Route } from './route.ts';

const koaPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');
const parameterCount = (path: string) => path.split('{').length;

/** The resource in a path below /api. Each has its own router, because a router tries all its rows on every request. */
function sectionOf(path: string): string {
  const [, , first = '', second = ''] = path.split('/', 4);
  return first === 'v1' ? second : first;
}

/** Serves every row of the table under /api; other paths are passed on. */
export function makeRouter(app: App, engine: Engine, routes: readonly Route[]) {
  const routers = new Map<string, Router>();
  // A fixed path precedes a parameter in the same place (/dpu/stats before /dpu/{id}).
  const ordered = [...routes].sort((a, b) => parameterCount(a.path) - parameterCount(b.path));
  for (const row of ordered) {
    const section = sectionOf(`/api${row.path}`);
    const router = routers.get(section) ?? new Router({ prefix: '/api', sensitive: true });
    routers.set(section, router);
    const serve = serveRoute(app, engine, row);
    router.register(koaPath(row.path), [row.method.toLowerCase()], (koa) => {
      koa.state['route'] = row.path;
      return serve(koa);
    });
  }
  return { rows: rows(routers), elsewhere: elsewhere(app, routers) };
}

function rows(routers: Map<string, Router>): Middleware {
  const sections = new Map([...routers].map(([name, router]) => [name, router.routes()] as const));
  return (koa, next) => {
    const section = sections.get(sectionOf(koa.path)) as unknown as Middleware | undefined;
    return section ? section(koa, next) : next();
  };
}

/** An unknown path under /api: counted like any call, then answered as an unknown path or method. */
function elsewhere(app: App, routers: Map<string, Router>): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/api' && !koa.path.startsWith('/api/')) return next();
    koa.state['context'] = await openRequest(app, incoming(koa), {
      takes: 'none',
      tier: 'caller',
      ownQuery: false,
    });
    const matched = routers.get(sectionOf(koa.path))?.match(koa.path, koa.method).path ?? [];
    const methods = [...new Set(matched.flatMap((layer) => layer.methods))];
    if (methods.length === 0) throw new DomainError('NOT_FOUND', `Path not found: ${koa.path}.`);
    koa.set('Allow', methods.join(', '));
    if (koa.method === 'OPTIONS') {
      koa.status = 204;
      return undefined;
    }
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      `${koa.path} does not support ${koa.method}; the Allow header lists the methods that it does.`,
    );
  };
}
