/** Servers on loopback for one test each; `closeServers` ends them and every connection they hold. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface TestServer {
  port: number;
  /** All connections so far, in order. */
  sockets: Socket[];
}

const running: { server: Server; sockets: Socket[] }[] = [];

export function serveHttp(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  // Neither side should drop an idle connection within a test.
  return listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener), host);
}

export function serveHttps(
  certificate: { key: string; cert: string },
  listener: RequestListener,
): Promise<TestServer> {
  return listen(createHttpsServer(certificate, listener), '127.0.0.1');
}

export function serveTcp(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return listen(createTcpServer(onConnection), '127.0.0.1');
}

export async function closeServers(): Promise<void> {
  for (const { server, sockets } of running.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
}

/** Resolves when the connection is closed, even by an error. */
export function gone(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!socket) reject(new Error('there was no connection'));
    else if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });
}

async function listen(server: Server, host: string): Promise<TestServer> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    // Connections broken by a client are part of the test.
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  running.push({ server, sockets });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}
