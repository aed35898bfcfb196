import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Parsed } from '../helpers/client.ts';

/** A request that reached the consumer. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  body: Parsed;
  at: number;
}

export interface Consumer {
  url: string;
  /** All requests, in order. */
  received: Received[];
  close(): Promise<void>;
}

export type Reply = (request: Received, response: ServerResponse, count: number) => void;

export const accept: Reply = (_, response) => response.end('thanks');
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** A webhook consumer on a free local port. */
export async function startConsumer(reply: Reply = accept): Promise<Consumer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const entry = {
      path: request.url!,
      headers: request.headers,
      raw,
      body: JSON.parse(raw),
      at: Date.now(),
    };
    received.push(entry);
    reply(entry, response, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close };
}

/** The same, closed automatically at the end of the test. */
export async function consumer(reply?: Reply): Promise<Consumer> {
  const started = await startConsumer(reply);
  onTestFinished(() => started.close());
  return started;
}
