import type { Context as KoaContext, Middleware } from 'koa';
import { openRequest } from '../api/open-request.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import { centerIdOf } from '../domain/principal.ts';
import { notFoundAt, ScimError } from '../domain/scim/errors.ts';
import { DomainError } from '../lib/errors.ts';
import { isStorable } from '../lib/json-faults.ts';
import { makeKeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { metered } from '../lib/row-meter.ts';
import { parseJson, readBody } from '../rest/body.ts';
import { isScimPath, SCIM_TYPE, scimError } from '../rest/errors.ts';
import { attachContext, incoming } from '../rest/incoming.ts';
import { endpointOf, type Method, type ScimAnswer, type ScimRequest } from './endpoints.ts';
import { namesVersion } from './resources.ts';

const BASE = '/scim/v2';

/** The address that a directory is configured with. */
export const scimUrl = (publicUrl: string): string => `${publicUrl}${BASE}`;

/** SCIM 2.0: the directory of a center maintains its members and approval groups. */
export function scim(app: App): Middleware {
  const turns: Turns = { reads: makeKeyedSemaphore(READS), writes: makeKeyedSemaphore(1) };
  return async (koa, next) => {
    if (!isScimPath(koa.path)) return next();
    koa.state['route'] = BASE;
    koa.set('Cache-Control', 'no-store');
    try {
      await serve(app, turns, koa);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      koa.status = error.status;
      send(koa, scimError(error.status, error.message, error.scimType));
    }
    return undefined;
  };
}

/**
 * The requests of one center take turns in this process. Its changes wait for each other anyway, for the lock of the center: without
 * turns, those of an import would each hold a database connection meanwhile, and other centers would wait for one.
 */
interface Turns {
  reads: InTurn;
  writes: InTurn;
}
type InTurn = ReturnType<typeof makeKeyedSemaphore>;

const READS = 2;

async function serve(app: App, turns: Turns, koa: KoaContext): Promise<void> {
  // The position of a replica means nothing to a directory.
  const ctx = await openRequest(
    app,
    { ...incoming(koa), mayLag: false },
    { takes: 'scim', tier: 'scim', ownQuery: true },
  );
  attachContext(koa, ctx);
  const parts = partsOf(koa.path);
  const { path, methods } = endpointOf(parts);
  koa.state['route'] = `${BASE}/${path}`;
  const method = koa.method === 'HEAD' ? 'GET' : koa.method;
  const run = Object.hasOwn(methods, method) ? methods[method as Method] : undefined;
  if (!run) {
    const allowed = Object.keys(methods).join(', ');
    koa.set('Allow', allowed);
    throw new DomainError('METHOD_NOT_ALLOWED', `${path} supports only ${allowed}.`);
  }
  ctx.wrote = method !== 'GET';
  const body = await readRaw(koa, ctx, method);
  const request: Omit<ScimRequest, 'body'> = {
    ctx,
    id: parts[1] ?? '',
    query: koa.URL.searchParams,
    ifMatch: koa.get('If-Match') || null,
    baseUrl: scimUrl(app.config.publicUrl),
  };
  const inTurn = ctx.wrote ? turns.writes : turns.reads;
  const answer = await inTurn(String(centerIdOf(ctx.principal)), () =>
    metered(ctx.content, () => run({ ...request, body: parseJson(body, false) })),
  );
  respond(koa, method, answer);
}

/** The parts of a path below the base address. */
function partsOf(path: string): string[] {
  if (path !== BASE && !path.startsWith(`${BASE}/`)) throw notFoundAt(path);
  try {
    const parts = path
      .slice(BASE.length + 1)
      .replace(/\/$/, '')
      .split('/')
      .map(decodeURIComponent);
    if (parts.every(isStorable)) return parts;
  } catch {
    // A malformed escape names nothing.
  }
  throw notFoundAt(path);
}

const JSON_TYPE = /^application\/(?:scim\+)?json *(?:;|$)/i;

async function readRaw(koa: KoaContext, ctx: RequestContext, method: string): Promise<Buffer> {
  if (method === 'GET' || method === 'DELETE') return Buffer.alloc(0);
  const body = await readBody(koa.req, ctx);
  if (!JSON_TYPE.test(koa.req.headers['content-type'] ?? ''))
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON (Content-Type: application/scim+json or application/json).',
    );
  return body;
}

function respond(koa: KoaContext, method: string, { status, body, resource }: ScimAnswer): void {
  if (resource) {
    const { version, location } = resource.meta;
    koa.set('ETag', version);
    if (status === 201) koa.set('Location', location);
    const known = koa.get('If-None-Match');
    if (method === 'GET' && known !== '' && namesVersion(known, version)) {
      koa.body = null;
      koa.status = 304;
      return;
    }
  }
  koa.status = status;
  if (body) send(koa, body);
  else {
    koa.body = null;
    koa.status = status;
  }
}

function send(koa: KoaContext, body: object): void {
  koa.type = SCIM_TYPE;
  koa.body = JSON.stringify(body);
}
