import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** A relay between the service and its database that a test can cut and restore. */
export interface Relay {
  /** The database URL through the relay. */
  url: string;
  cut(): void;
  mend(): Promise<void>;
  /** Stops all traffic in both directions without closing connections, until it is resumed. */
  stall(): void;
  flow(): void;
  /** Resolves when the database has committed a transaction of a connection that sent this text; the reply is dropped. */
  holdNextCommit(words?: string): Promise<void>;
  /** Resolves when the database has answered with this text; the connection breaks before it arrives. */
  loseAnswer(words: string): Promise<void>;
}

/** PostgreSQL's reply to COMMIT: the message CommandComplete with its tag. */
const COMMITTED = Buffer.from('C\0\0\0\x0BCOMMIT\0', 'latin1');

interface Held {
  answer: Buffer | string;
  /** Only replies to a connection that has sent this text. */
  words?: string | undefined;
  senders: Set<Socket>;
  onSeen(inward: Socket): void;
}

export async function relayTo(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** Pauses or resumes each connection. */
  const valves = new Set<(open: boolean) => void>();
  let flowing = true;
  /** What to drop, once. */
  let held: Held | undefined;
  const gate = (inward: Socket) =>
    new Transform({
      transform(chunk: Buffer, _encoding, pass) {
        if (!held || !chunk.includes(held.answer)) return pass(null, chunk);
        if (held.words !== undefined && !held.senders.has(inward)) return pass(null, chunk);
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
      inward.on('data', (chunk: Buffer) => {
        if (held?.words !== undefined && chunk.includes(held.words)) held.senders.add(inward);
      });
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
  const port = await freePort();
  let server = open(port);
  await once(server, 'listening');
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
    holdNextCommit: (words) =>
      new Promise((resolve) => {
        held = { answer: COMMITTED, words, senders: new Set(), onSeen: () => resolve() };
      }),
    loseAnswer: (words) =>
      new Promise((resolve) => {
        held = { answer: words, senders: new Set(), onSeen: (inward) => resolve(void inward.destroy()) };
      }),
  };
}
