import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Answer, makeAddCheckpoint } from './add-checkpoint.ts';
import type { Logs } from './logs.ts';
import type { WitnessState } from './state.ts';

const MOST_BYTES = 256 * 1024;
const MONITORING = /^\/([0-9a-f]{64})\/checkpoint$/;

interface Reply {
  status: number;
  body: string;
  type?: string;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A witness over HTTP: `POST /add-checkpoint`, `GET /<origin hash>/checkpoint`, and its verifier key at `GET /`. */
export function witnessServer(state: WitnessState, logs: Logs): Server {
  const add = makeAddCheckpoint(state, logs, () => Math.floor(Date.now() / 1_000));

  async function reply(request: IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(request.url ?? '/', 'http://witness');
    const get = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === '/add-checkpoint') {
      if (request.method !== 'POST') return { status: 405, body: 'POST is needed\n' };
      const body = await readBody(request);
      return body === null ? { status: 413, body: 'too large\n' } : ((await add(body)) satisfies Answer);
    }
    if (get && pathname === '/') return { status: 200, body: `${state.vkey}\n` };
    const hash = get ? MONITORING.exec(pathname)?.[1] : undefined;
    const latest = hash === undefined ? null : await state.latestByHash(hash);
    return latest === null ? { status: 404, body: 'there is nothing here\n' } : { status: 200, body: latest };
  }

  const server = createServer((request, response) => {
    reply(request)
      .catch((error: Error): Reply => {
        process.stderr.write(`${error.stack}\n`);
        return { status: 500, body: 'something went wrong here\n' };
      })
      .then(({ status, body, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'Content-Type': type }).end(request.method === 'HEAD' ? '' : body);
      })
      .catch(() => response.destroy());
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  return server;
}
