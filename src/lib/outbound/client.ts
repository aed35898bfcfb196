/**
 * The one client through which addresses supplied by tenants are called. It follows no redirect, takes no proxy from the
 * environment, and connects only where `addresses.ts` lets it.
 *
 * Expected failures are results, not exceptions: the caller records them as it records a status.
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
   * Connections to one origin (scheme, host, port). A request beyond them waits, and its deadline runs meanwhile, so this
   * should not be less than the number of requests the caller has under way to one origin.
   */
  connectionsPerOrigin?: number;
  /** Origins whose connections are kept; the one unused longest gives way. */
  maxOrigins?: number;
  /** Whether `checkTarget` lets a host pass that cannot be resolved right now. */
  acceptUnresolvable: boolean;
  /** Names to addresses; every answer is checked. */
  resolve?: ResolveHost;
}

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** From the call to the last byte: waiting for a connection, opening it, headers and body together. */
  timeoutMs: number;
  maxResponseBytes: number;
}

export interface OutboundClient {
  /** Never rejects. */
  request(request: OutboundRequest): Promise<OutboundResult>;
  post(request: Omit<OutboundRequest, 'method'>): Promise<OutboundResult>;
  /** The rules of `checkTargetUrl`, and every address that the host has at this moment. */
  checkTarget(url: string): Promise<CheckedTarget>;
  /** Lets the requests under way end (their deadlines bound that), then closes every connection. */
  close(): Promise<void>;
}

const VERDICTS_KEPT = 1_000;

export function makeOutboundClient(options: OutboundClientOptions): OutboundClient {
  const resolve = options.resolve ?? defaultResolver(options.allowPrivate);
  let pools: Promise<Pools> | undefined;
  // The rules depend on nothing but the address, and the same few addresses come again and again.
  const checks = new LRUCache<string, CheckedTarget>({
    max: VERDICTS_KEPT,
    memoMethod: (url) => checkTargetUrl(url, options),
  });
  const idle = Promise.withResolvers<void>();
  let underWay = 0;
  let closing = false;

  async function connections(): Promise<Pools> {
    const { makePools } = await import('./pools.ts');
    return makePools(resolve, options);
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

/** Another Host than the URL's would ask one server for another's site, and check its certificate for that name. */
function namesHost(headers: Record<string, string>): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'host') return true;
  return false;
}
