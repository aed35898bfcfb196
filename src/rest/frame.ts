import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { chargeAnswer } from '../api/answer-size.ts';
import { Refusal } from '../api/open-request.ts';
import type { PublicError } from '../api/public-error.ts';
import { unlimited } from '../api/rates.ts';
import type { App, RequestContext } from '../api/request-context.ts';
import { AUTH_COOKIE } from '../api/session-cookies.ts';
import { DomainError } from '../lib/errors.ts';
import { traced } from '../lib/tracing.ts';
import { publicQueryError } from '../schema/errors.ts';
import { errorBody, statusOf } from './errors.ts';
import { addressOf, cookiesOf, requestIdOf } from './incoming.ts';
import { bytesTaken } from './internals/bytes-taken.ts';
import { dialectOf } from './route.ts';

const API_PREFIX = '/api';

/** Assigns the request id, measures, logs and counts the request. */
export function observe(app: App): Middleware {
  const probes = makeProbeFilter();
  return (koa, next) => {
    const started = performance.now();
    koa.state['requestId'] = requestIdOf(koa.req.headers['x-request-id']);
    koa.state['address'] = addressOf(koa, app.config.trustedProxies);
    koa.state['cookies'] = cookiesOf(koa.req.headers.cookie);
    koa.set('X-Request-Id', koa.state['requestId']);
    const hold = () => (koa.state['context'] as RequestContext | undefined)?.content;
    koa.res.once('close', () => {
      const readBytes = hold()?.size() ?? 0;
      hold()?.abandon();
      // Work goes on after its client has gone away, and still needs memory.
      void Promise.allSettled([handled]).then(() => hold()?.release());
      const seconds = (performance.now() - started) / 1_000;
      const route = (koa.state['route'] as string | undefined) ?? 'other';
      app.metrics.requests.inc({ method: koa.method, route, status: koa.status });
      app.metrics.latency.observe({ method: koa.method, route }, seconds);
      const level = probes.isRepeated(koa.path, koa.status) ? 'debug' : 'info';
      app.log[level](
        {
          requestId: koa.state['requestId'],
          method: koa.method,
          path: koa.path,
          status: koa.status,
          ms: Math.round(seconds * 1e6) / 1e3,
          ...(readBytes > LARGE_BYTES && { readBytes }),
        },
        'request',
      );
    });
    const handled = traced(
      () => ({
        name: `${koa.method} ${koa.path.replace(ID, '{id}')}`,
        kind: 'server',
        parent: koa.req.headers['traceparent'] as string | undefined,
        attributes: {
          'http.request.method': koa.method,
          'url.path': koa.path,
          'countersign.request_id': koa.state['requestId'],
        },
      }),
      next,
    );
    return handled;
  };
}

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Health checks run every few seconds, so they are logged only when the status changes or first fails. */
function makeProbeFilter() {
  const last = new Map<string, number>();
  return {
    isRepeated(path: string, status: number): boolean {
      if (!PROBES.has(path)) return false;
      const before = last.get(path) ?? 200;
      last.set(path, status);
      return status === before;
    },
  };
}

/** Ids and numbers, by which paths of the same endpoint differ. */
const ID = /\b([a-z]{2,3}_[0-9a-z]{10,}|\d+)\b/g;

const securityHeaders = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-site',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
});

/** Security headers of every response. Pages extend their own content security policy. */
export function secure(app: App): Middleware {
  const https = app.config.publicUrl.startsWith('https:');
  return (koa, next) => {
    for (const [name, value] of securityHeaders) koa.res.setHeader(name, value);
    if (https) koa.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    if (koa.path.startsWith(`${API_PREFIX}/`)) koa.set('Cache-Control', 'no-store');
    return next();
  };
}

/** The error renderer of a surface with its own error format: `koa.state.showError`. */
type ShowError = (error: PublicError, requestId: string) => object;

/** Renders failures in the format of the path and adds the headers that every response carries. */
export function renderErrors(app: App): Middleware {
  return async (koa, next) => {
    try {
      await next();
      if (koa.status === 404 && koa.body === undefined) {
        throw new DomainError('NOT_FOUND', `Path not found: ${koa.path}.`);
      }
    } catch (thrown) {
      const error = thrown instanceof Refusal ? thrown.reason : thrown;
      const shown = publicQueryError(error, app.log.child({ requestId: koa.state['requestId'] }));
      const dialect = dialectOf(koa.path.slice(API_PREFIX.length));
      koa.status = statusOf(shown.code, dialect);
      koa.type = (koa.state['errorType'] as string | undefined) ?? 'application/json';
      const showError = koa.state['showError'] as ShowError | undefined;
      koa.body = JSON.stringify(
        showError?.(shown, koa.state['requestId']) ?? errorBody(shown, dialect, koa.state['requestId']),
      );
      if (shown.retryAfter !== undefined) koa.set('Retry-After', String(shown.retryAfter));
      // Node would read the rest of a rejected body to keep the connection open, which is expensive during a flood.
      if (!koa.req.complete && hasLargeBody(koa.req.headers)) koa.set('Connection', 'close');
      if (shown.code === 'UNAUTHORIZED' || shown.code === 'TOKEN_EXPIRED')
        if (!koa.response.get('WWW-Authenticate'))
          // Keeps a response that the surface has already set.
          koa.set('WWW-Authenticate', 'Bearer');
      if (thrown instanceof Refusal) {
        koa.state['rate'] = thrown.rate;
        if (thrown.staleCookie) koa.state['cookiesToSet'] = [{ name: AUTH_COOKIE, value: null }];
      }
    }
    const context = koa.state['context'] as RequestContext | undefined;
    if (context) await chargeAnswer(context, koa.body, koa.length ?? 0);
    await showPosition(app, koa);
    finish(app, koa);
    closeIfStalled(koa);
  };
}

/** A caller that sends the position back reads its own writes, even from a replica. */
async function showPosition(app: App, koa: Parameters<Middleware>[0]): Promise<void> {
  const context = koa.state['context'] as RequestContext | undefined;
  const { replica } = app.db;
  if (replica && context?.wrote && !koa.headerSent)
    koa.set('X-Read-After', await replica.positionAfterCommit());
}

/** How long a client may take nothing of an answer that is being sent. */
const STALLED_MS = 10_000;

const CHECK_MS = 1_000;

/** The socket's own timeout starts anew with every byte that the client sends. A stream without anything to send is left open. */
function closeIfStalled({ res, body }: Parameters<Middleware>[0]): void {
  const isLarge = typeof body === 'string' || Buffer.isBuffer(body) ? body.length > LARGE_BYTES : body;
  const { socket } = res;
  if (!isLarge || !socket) return;
  let taken = bytesTaken(socket);
  let since = performance.now();
  const timer = setInterval(() => {
    const now = bytesTaken(socket);
    // Not a listener on the response: with those of Koa and Node it would trigger Node's leak warning.
    if (res.closed) clearInterval(timer);
    else if (now !== taken || socket.writableLength === 0) since = performance.now();
    else if (performance.now() - since >= STALLED_MS) socket.destroy();
    taken = now;
  }, CHECK_MS);
  timer.unref();
}

const LARGE_BYTES = 65_536;

const hasLargeBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BYTES;

function finish(app: App, koa: Parameters<Middleware>[0]): void {
  if (koa.headerSent) return; // Vite's, in development
  const context = koa.state['context'] as RequestContext | undefined;
  const rate = (koa.state['rate'] as RequestContext['rate']) ?? context?.rate ?? unlimited(new Date());
  koa.res.setHeader('X-RateLimit-Limit', rate.limit);
  koa.res.setHeader('X-RateLimit-Remaining', rate.remaining);
  koa.res.setHeader('X-RateLimit-Reset', rate.resetAt);
  const cookies =
    context?.cookiesToSet ?? (koa.state['cookiesToSet'] as RequestContext['cookiesToSet'] | undefined);
  // Koa checks the connection, but the browser's TLS ends at the proxy, so the public URL decides.
  const secure = app.config.publicUrl.startsWith('https:');
  if (cookies?.length) koa.cookies.secure = secure;
  for (const { name, value, maxAgeSeconds, path = '/' } of cookies ?? []) {
    koa.cookies.set(name, value, {
      httpOnly: true,
      sameSite: 'lax',
      path,
      secure,
      overwrite: true,
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds * 1_000 }),
    });
  }
}
