import { createServer, type Server } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { readMails, type StoredMail } from '../../src/lib/mail/stored.ts';
import type { TestApp } from './app.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** The newest mail to an address, once it is in the folder. */
export async function mailTo(
  { database }: Pick<TestApp, 'database'>,
  address: string,
  about = '',
  count = 1,
): Promise<StoredMail> {
  let found: StoredMail[] = [];
  await eventually(async () => {
    const mails = await readMails(database.mailFolder, 1_000);
    found = mails.filter(({ to, subject }) => to === address && subject.includes(about));
    return found.length >= count;
  });
  return found[0]!;
}

/** The secret part of the link in a mail. */
export const tokenIn = ({ links }: StoredMail) => links[0]!.split('#')[1]!;

export interface MailServer {
  url: string;
  /** Received mails, oldest first. */
  arrived: Email[];
  /** The number of connections. */
  connections: number;
  stop(): Promise<void>;
}

/** Answers each recipient with the given code; 0 accepts the mail. */
export async function startMailServer(answer: (attempt: number) => number, port = 0): Promise<MailServer> {
  let attempts = 0;
  const state = { arrived: [] as Email[], connections: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_, done) {
      state.connections++;
      done();
    },
    onRcptTo(_, __, done) {
      const code = answer(++attempts);
      done(code === 0 ? null : Object.assign(new Error('not now'), { responseCode: code }));
    },
    onData(stream, _, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        state.arrived.push(await PostalMime.parse(Buffer.concat(parts)));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.server.address() as { port: number };
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${actual}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

/** A server that accepts connections and never responds. */
export async function startSilentServer(): Promise<{
  port: number;
  /** The number of connections so far. */
  connections(): number;
  /** The maximum number of concurrent connections. */
  mostAtOnce(): number;
  stop(): Promise<void>;
}> {
  let connections = 0;
  let mostAtOnce = 0;
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    mostAtOnce = Math.max(mostAtOnce, sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
