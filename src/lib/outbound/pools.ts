/** The connections, by origin (scheme, host, port). Only who calls somebody loads this file, and undici with it. */
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { guardedConnector } from './connector.ts';
import type { ResolveHost } from './resolve.ts';

interface PoolOptions {
  allowPrivate: boolean;
  connectionsPerOrigin?: number;
  maxOrigins?: number;
}

export interface Pools {
  of(origin: string): Pool;
  destroy(): Promise<unknown>;
}

export function makePools(resolve: ResolveHost, options: PoolOptions): Pools {
  const { allowPrivate, connectionsPerOrigin = 64, maxOrigins = 256 } = options;
  const connect = guardedConnector(resolve, allowPrivate);
  const pools = new LRUCache<string, Pool>({
    max: maxOrigins,
    dispose: (pool) => void pool.close(),
    memoMethod: (origin) =>
      // The deadline of each request covers headers and body, so undici's own timers stay off.
      new Pool(origin, {
        connect,
        connections: connectionsPerOrigin,
        allowH2: false,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveMaxTimeout: 30_000,
      }),
  });
  return {
    of: (origin) => pools.memo(origin),
    destroy: () => Promise.all([...pools.values()].map((pool) => pool.destroy())),
  };
}
