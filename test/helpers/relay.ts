import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A wire between the service and its database that a test can cut and mend. */
export interface Relay {
  /** The database's address, by way of the relay. */
  url: string;
  cut(): void;
  mend(): Promise<void>;
}

export async function relayTo(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const open = (port: number) => {
    const server = createServer((inward) => {
      const outward = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        sockets.add(from);
        from.pipe(to);
        from.on('error', () => {}).on('close', () => to.destroy());
      }
    });
    return server.listen(port, '127.0.0.1');
  };
  let server = open(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(cut);
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    async mend() {
      server = open(port);
      await once(server, 'listening');
    },
  };
}
