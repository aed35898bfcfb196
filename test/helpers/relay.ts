import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';

/** A wire between the service and its database that a test can cut and mend. */
export interface Relay {
  /** The database's address, by way of the relay. */
  url: string;
  cut(): void;
  mend(): Promise<void>;
  /** Nothing comes through any more, in either direction, and nothing breaks; until it flows again. */
  stall(): void;
  flow(): void;
  /** Resolves when the database has committed a transaction; its word of that never gets through. */
  holdNextCommit(): Promise<void>;
  /** Resolves when the database has answered with these words; they never get through, since their connection breaks. */
  loseAnswer(words: string): Promise<void>;
}

/** How PostgreSQL says that a COMMIT is done: the message CommandComplete with its tag. */
const COMMITTED = Buffer.from('C\0\0\0\x0BCOMMIT\0', 'latin1');

export async function relayTo(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** Lets each connection flow, or not. */
  const valves = new Set<(open: boolean) => void>();
  let flowing = true;
  /** What must not get through, once. */
  let held: { answer: Buffer | string; onSeen(inward: Socket): void } | undefined;
  const gate = (inward: Socket) =>
    new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        if (!held || !chunk.includes(held.answer)) return pass(null, chunk);
        const { onSeen } = held;
        held = undefined;
        onSeen(inward);
      },
    });
  const open = (port: number) => {
    const server = createServer((inward) => {
      const outward = connect(Number(target.port), target.hostname);
      const back = gate(inward);
      back.pipe(inward);
      const valve = (open: boolean) => {
        if (open) {
          inward.pipe(outward);
          outward.pipe(back);
        } else {
          inward.unpipe(outward).pause();
          outward.unpipe(back).pause();
        }
      };
      valve(flowing);
      valves.add(valve);
      inward.once('close', () => valves.delete(valve));
      for (const [side, other] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        sockets.add(side);
        side.on('error', () => {}).on('close', () => other.destroy());
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
    stall() {
      flowing = false;
      for (const valve of valves) valve(false);
    },
    flow() {
      flowing = true;
      for (const valve of valves) valve(true);
    },
    holdNextCommit: () =>
      new Promise((resolve) => {
        held = { answer: COMMITTED, onSeen: () => resolve() };
      }),
    loseAnswer: (words) =>
      new Promise((resolve) => {
        held = { answer: words, onSeen: (inward) => resolve(void inward.destroy()) };
      }),
  };
}
