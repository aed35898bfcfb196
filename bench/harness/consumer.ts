import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Accepts all posts and records when they arrived. */
export interface Consumer {
  url: string;
  /** Resolves when this many have arrived since the last call of `forget`, with the time and body of each. */
  arrived(count: number): Promise<{ at: number; body: string }[]>;
  /** The number of arrivals since the last call of `forget`. */
  count(): number;
  forget(): void;
  close(): void;
}

/** A consumer that never answers. */
export async function startConsumer({ answers = true } = {}): Promise<Consumer> {
  let arrivals: { at: number; body: string }[] = [];
  let waiting: { count: number; resolve: () => void } | undefined;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    arrivals.push({ at: Date.now(), body });
    if (answers) response.end('ok');
    if (waiting && arrivals.length >= waiting.count) waiting.resolve();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async arrived(count) {
      await new Promise<void>((resolve) => {
        waiting = { count, resolve };
        if (arrivals.length >= count) resolve();
      });
      return arrivals;
    },
    count: () => arrivals.length,
    forget() {
      arrivals = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
