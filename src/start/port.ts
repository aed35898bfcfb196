import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../environment.ts';
import { makeDrain } from '../lib/drain.ts';
import { deferDetached } from '../lib/turn-queue.ts';

/** The port of the API, bound before anything else, so that a second process stops before it changes anything. */
export interface HeldPort {
  host: string;
  port: number;
  /** Starts answering requests, including those that arrived early. */
  serve(handler: RequestListener): void;
  /** Stops accepting connections and lets running requests finish within the given time; see Drain. */
  close(withinMs?: number): Promise<void>;
}

const LONGEST_CLOSE_MS = 5_000;
/**
 * Must exceed the idle timeout of proxies and load balancers, usually a minute, or they may reuse a connection we just closed.
 */
const KEEP_ALIVE_MS = 75_000;

export async function holdPort(
  host: string,
  port: number,
  variable: 'PORT' | 'HEALTH_PORT' = 'PORT',
): Promise<HeldPort> {
  const { promise: handler, resolve: serve } = Promise.withResolvers<RequestListener>();
  let ready: RequestListener | undefined;
  const server = createServer((request, response) => {
    if (ready) return deferDetached(() => ready!(request, response));
    if (request.url === '/healthz') return answer(response, 200, { status: 'ok' });
    if (request.url === '/readyz') {
      return answer(response, 503, { status: 'not ready', checks: { process: 'starting' } });
    }
    void handler.then((listener) => listener(request, response));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  const drain = makeDrain(server);
  await listen(server, host, port, variable);
  return {
    host,
    port: (server.address() as AddressInfo).port,
    serve(listener) {
      ready = listener;
      serve(listener);
    },
    // Requests wait until the start is complete.
    close: (withinMs = LONGEST_CLOSE_MS) => drain.close(ready === undefined ? 0 : withinMs),
  };
}

function answer(response: Parameters<RequestListener>[1], status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function listen(server: Server, host: string, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ConfigError(listenFault(error, host, port, variable))));
    server.listen(port, host, resolve);
  });
}

function listenFault(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${variable} must be free: ${host}:${port} is in use`;
    case 'EACCES':
      return `${variable} must be one that this user may open: ${host}:${port} is refused`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `HOST must be an address of this machine: ${host} is none`;
    default:
      return `HOST and ${variable} must be an address to listen on: ${host}:${port} is none (${message})`;
  }
}
