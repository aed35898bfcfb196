/** Opens the sockets. Every connection passes here, so here is where addresses are checked, each time anew. */
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress } from './addresses.ts';
import { connectFailure, OutboundError } from './failure.ts';
import { guardedLookup, type ResolveHost } from './resolve.ts';
import { addressReason } from './targets.ts';

/** No request waits longer than its own deadline; this only keeps sockets nobody waits for from lingering. */
const CONNECT_TIMEOUT_MS = 10_000;

export function guardedConnector(resolve: ResolveHost, allowPrivate: boolean): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(resolve, allowPrivate),
  });
  return (options, callback) => {
    // Sockets skip the lookup for literal addresses.
    if (isIP(options.hostname) !== 0 && !isAllowedAddress(options.hostname, allowPrivate)) {
      const refusal = new OutboundError('refused-address', `the URL ${addressReason(options.hostname)}`);
      process.nextTick(callback, refusal, null);
      return;
    }
    connect(options, (error, socket) => {
      if (error) callback(connectFailure(error, options.protocol), null);
      else callback(null, socket);
    });
  };
}
