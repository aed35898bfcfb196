import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Emitted on long-running responses such as event streams, whose writers should finish. */
export const STOPPING = 'stopping';

/** A connection that has been idle for this long is unlikely to be reused right now. */
const QUIET_MS = 500;
const LOOK_MS = 50;

interface Connection {
  /** Requests in progress on the connection; several if the client pipelines. */
  responses: Set<ServerResponse>;
  bytesRead: number;
  quietSince: number;
}

export interface Drain {
  /**
   * Stops accepting connections and closes each open one after its next response, which says `Connection: close`. A client
   * about to reuse a connection may send one more request: closing it immediately would cut that request. Connections that
   * outlast the deadline are cut.
   */
  close(withinMs: number): Promise<void>;
}

/** Call before the server accepts its first connection. */
export function makeDrain(server: Server): Drain {
  const connections = new Map<Socket, Connection>();
  let closing = false;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { responses: new Set(), bytesRead: 0, quietSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.responses.add(response);
    response.once('close', () => {
      connection.responses.delete(response);
      connection.quietSince = performance.now();
    });
    if (closing) response.shouldKeepAlive = false;
  });

  function announceShutdown(): void {
    for (const { responses } of connections.values()) {
      for (const response of responses) {
        if (response.headersSent) response.emit(STOPPING);
        else response.shouldKeepAlive = false;
      }
    }
  }

  /** Bytes that have arrived may be the start of a request. */
  function endQuiet(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.quietSince = now;
      }
      if (connection.responses.size === 0 && now - connection.quietSince >= QUIET_MS) socket.destroy();
    }
  }

  return {
    async close(withinMs) {
      closing = true;
      const now = performance.now();
      // Node's `closeIdleConnections` would also close connections that only seem idle.
      NetServer.prototype.close.call(server);
      for (const connection of connections.values()) connection.quietSince = now;
      announceShutdown();
      while (connections.size > 0 && performance.now() - now < withinMs) {
        await sleep(LOOK_MS);
        // Also notify streams that started in the meantime.
        announceShutdown();
        endQuiet();
      }
      for (const socket of connections.keys()) socket.destroy();
      server.closeAllConnections();
      server.close(() => {});
    },
  };
}
