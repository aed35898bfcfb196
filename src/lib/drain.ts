import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Emitted on responses that have begun and would go on by themselves, such as event streams: whoever writes them should
 * come to an end.
 */
export const STOPPING = 'stopping';

/** A connection that has been idle for so long is not about to be used. */
const QUIET_MS = 500;
const LOOK_MS = 50;

interface Connection {
  /** What is under way on it; several when the client did not wait for answers. */
  responses: Set<ServerResponse>;
  bytesRead: number;
  quietSince: number;
}

export interface Drain {
  /**
   * Stops accepting and ends every connection after the answer to a request on it, which says so. A client that is
   * about to use its open connection again is let do so once more: closing it under its hands would cut its request.
   * What lasts longer than the time given is cut.
   */
  close(withinMs: number): Promise<void>;
}

/** To be called before the server accepts its first connection. */
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

  function sayGoodbye(): void {
    for (const { responses } of connections.values()) {
      for (const response of responses) {
        if (response.headersSent) response.emit(STOPPING);
        else response.shouldKeepAlive = false;
      }
    }
  }

  /** Bytes that have arrived are a request in the making. */
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
      // The HTTP server's own would also close the connections that only seem idle.
      NetServer.prototype.close.call(server);
      for (const connection of connections.values()) connection.quietSince = now;
      sayGoodbye();
      while (connections.size > 0 && performance.now() - now < withinMs) {
        await sleep(LOOK_MS);
        // Streams that began meanwhile are told too.
        sayGoodbye();
        endQuiet();
      }
      for (const socket of connections.keys()) socket.destroy();
      server.closeAllConnections();
      server.close(() => {});
    },
  };
}
