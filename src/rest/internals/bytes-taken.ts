import type { Socket } from 'node:net';

/** The part of Node's handle used here; its type definitions omit it. */
interface Handle {
  /** Bytes of the current write that the system has not taken yet. */
  writeQueueSize: number;
}

/** How many bytes the system has taken for the peer, up to a constant. Counts progress within one write too. */
export function bytesTaken(socket: Socket): number {
  const handle = (socket as unknown as { _handle: Handle | null })._handle;
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}
