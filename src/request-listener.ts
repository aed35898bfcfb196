import type { RequestListener } from 'node:http';
import type { App } from './app.ts';
import { mcp } from './mcp/index.ts';
import { makeHttpApp } from './rest/app.ts';
import { type Engine, makeEngine } from './schema/engine.ts';
import { schema } from './schema/index.ts';
import type { OperationPlugin } from './schema/plugins.ts';
import { scim } from './scim/index.ts';
import { pages } from './web/index.ts';
import type { Running } from './web/operations/health.ts';

/** The GraphQL engine of all surfaces. It holds nothing of an App, so one can serve several. */
export const makeServiceEngine = (plugins: readonly OperationPlugin[] = []): Engine =>
  makeEngine(schema, plugins);

/** Answers every request to an App: REST, GraphQL, MCP, SCIM and pages. A HeldPort serves it. */
export function makeRequestListener(app: App, engine: Engine, running: Running): RequestListener {
  return makeHttpApp(app, engine, [...mcp(app, engine), scim(app), ...pages(app, running)]).callback();
}
