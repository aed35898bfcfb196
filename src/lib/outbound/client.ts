/**
 * The only client for addresses supplied by tenants. It follows no redirects, uses no proxy from the environment, and connects
 * only to addresses that `addresses.ts` permits. Expected failures are results, not exceptions: the caller records them like a
 * status.
 */
import { LRUCache } from 'lru-cache';
import { Exchange, type OutboundResult } from './exchange.ts';
import type { FailureKind } from './failure.ts';
import type { Pools } from './pools.ts';
import {
  type CheckedTarget,
  checkTarget,
  checkTargetUrl,
  defaultResolver,
  type ResolveHost,
  type TargetRules,
} from './targets.ts';

export interface OutboundClientOptions extends TargetRules {
  /**
   * Connections per origin (scheme, host, port). Further requests wait while their deadline runs, so this should be at least
   * the caller's number of concurrent requests to one origin.
   */
  connectionsPerOrigin?: number;
  /** Origins whose connections are kept; the least recently used one is closed first. */
  maxOrigins?: number;
  /** Whether `checkTarget` accepts a host without resolving it. */
  acceptUnresolvable: boolean;
  /** Resolves names; every answer is checked. */
  resolve?: ResolveHost;
  lookupMs?: number;
}

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** From the call to the last byte, including the wait for a connection. */
  timeoutMs: number;
  maxResponseBytes: number;
}

export interface OutboundClient {
  /** Never rejects. */
  request(request: OutboundRequest): Promise<OutboundResult>;
  post(request: Omit<OutboundRequest, 'method'>): Promise<OutboundResult>;
  /** Applies the rules of `checkTargetUrl` to the URL and, unless unresolvable hosts are accepted, to every address of the host. */
  checkTarget(url: string): Promise<CheckedTarget>;
  /** Lets running requests finish (their deadlines bound that), then closes every connection. */
  close(): Promise<void>;
}

const VERDICTS_KEPT = 1_000;

export function makeOutboundClient(options: OutboundClientOptions): OutboundClient {
  const resolve = options.resolve ?? defaultResolver(options.allowPrivate);
  let pools: Promise<Pools> | undefined;
  // The rules depend only on the address, and the same few addresses recur.
  const checks = new LRUCache<string, CheckedTarget>({
    max: VERDICTS_KEPT,
    memoMethod: (url) => checkTargetUrl(url, options),
  });
  const idle = Promise.withResolvers<void>();
  let underWay = 0;
  let closing = false;

  async function connections(): Promise<Pools> {
    const { makePools } = await import('./pools.ts');
    return makePools({ ...options, resolve });
  }

  function request(wanted: OutboundRequest): Promise<OutboundResult> {
    const { method, headers, body, timeoutMs, maxResponseBytes } = wanted;
    if (closing) return failed('connect', 'the outbound client is closed');
    const checked = checks.memo(wanted.url);
    if (!checked.ok) return failed('refused-address', `the URL ${checked.reason}`);
    if (headers && namesHost(headers)) return failed('protocol', 'the Host header follows from the URL');
    const { origin, pathname, search } = checked.url;
    underWay += 1;
    return new Promise<OutboundResult>((settle) => {
      const exchange = new Exchange(timeoutMs, maxResponseBytes, (result) => {
        underWay -= 1;
        if (closing && underWay === 0) idle.resolve();
        settle(result);
      });
      pools ??= connections();
      void pools.then((opened) =>
        opened.of(origin).dispatch({ path: pathname + search, method, headers, body }, exchange),
      );
    });
  }

  async function close(): Promise<void> {
    closing = true;
    if (underWay === 0) idle.resolve();
    await idle.promise;
    await (await pools)?.destroy();
  }

  return {
    request,
    post: (message) => request({ ...message, method: 'POST' }),
    checkTarget: (url) => checkTarget(url, { ...options, resolve }),
    close,
  };
}

function failed(kind: FailureKind, message: string): Promise<OutboundResult> {
  return Promise.resolve({ ok: false, kind, message, durationMs: 0 });
}

/**
 * A Host header that differs from the URL could address another site on that server and check its certificate for that name.
 */
function namesHost(headers: Record<string, string>): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'host') return true;
  return false;
}
