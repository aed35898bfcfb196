import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';
import { isAllowedAddress } from './addresses.ts';
import { connectFailure, OutboundError } from './failure.ts';
import { guardedLookup, type HostCheck, UNUSABLE_HOST } from './targets.ts';

/** Opens the sockets. Every connection passes through here, so addresses are checked here, each time. */

/** Each request has its own deadline; this timeout only closes unused sockets. */
const CONNECT_TIMEOUT_MS = 10_000;

export function guardedConnector(check: HostCheck): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(check),
  });
  return (options, callback) => {
    // Sockets skip the lookup for literal addresses.
    if (isIP(options.hostname) !== 0 && !isAllowedAddress(options.hostname, check.allowPrivate)) {
      const refusal = new OutboundError('refused-address', `the URL ${UNUSABLE_HOST}`);
      process.nextTick(callback, refusal, null);
      return;
    }
    connect(options, (error, socket) => {
      if (error) callback(connectFailure(error, options.protocol), null);
      else callback(null, socket);
    });
  };
}

/** Connections by origin (scheme, host, port). Only code that calls other servers loads this file and undici. */

interface PoolOptions extends HostCheck {
  connectionsPerOrigin?: number;
  maxOrigins?: number;
}

export interface Pools {
  of(origin: string): Pool;
  destroy(): Promise<unknown>;
}

export function makePools(options: PoolOptions): Pools {
  const { connectionsPerOrigin = 64, maxOrigins = 256 } = options;
  const connect = guardedConnector(options);
  const pools = new LRUCache<string, Pool>({
    max: maxOrigins,
    dispose: (pool) => void pool.close(),
    memoMethod: (origin) =>
      // Each request's deadline covers headers and body, so undici's timers are off.
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
