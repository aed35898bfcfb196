import type { Socket } from 'node:net';
import pg from 'pg';

type Callback = (error: Error | null, result?: unknown) => void;

export interface ClientConfig extends pg.ClientConfig {
  /** How long the server may say nothing while it owes an answer. */
  answerTimeoutMs?: number;
}

/**
 * A connection whose statements leave nothing behind. The driver keeps a function on every query, for its promise and for
 * its timeout, and V8 makes functions that are assigned to a property in old space at once: there each of them would keep a
 * statement with its values and rows in memory until the next full collection (docs/decisions/0010-short-lived-garbage.md). So the driver is always given a callback, and one timer watches over all statements of a connection.
 */
export class Client extends pg.Client {
  readonly #silence: NodeJS.Timeout | undefined;
  /** Statements that the server has not answered. */
  #owed = 0;

  constructor(config: ClientConfig = {}) {
    super(config);
    const { answerTimeoutMs } = config;
    if (answerTimeoutMs) this.#silence = setTimeout(() => this.#cutIfOwed(), answerTimeoutMs).unref();
  }

  // The driver has a signature for every way to call it; all of them come through here.
  override query(...args: unknown[]): never {
    const callback = args.at(-1);
    if (typeof callback === 'function') return this.#send(args.slice(0, -1), callback as Callback) as never;
    return new Promise((resolve, reject) => {
      this.#send(args, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch(blameTheCaller) as never;
  }

  #send(statement: unknown[], callback: Callback): unknown {
    if (this.#owed++ === 0) this.#silence?.refresh();
    let owed = true;
    const answered: Callback = (error, result) => {
      // The driver tells of values that it cannot send, and then of the empty answer to them.
      if (owed) this.#owed--;
      owed = false;
      this.#silence?.refresh();
      callback(error, result);
    };
    const send = super.query as (...args: unknown[]) => unknown;
    return send.call(this, ...statement, answered);
  }

  /** The wire is dead: whatever is under way fails, as if it had broken. */
  #cutIfOwed(): void {
    if (this.#owed > 0) connectionOf(this).stream.destroy(new Error('Query read timeout'));
  }
}

/** As the driver does: the stack of its errors leads to the socket, this one to the caller. */
function blameTheCaller(error: Error): never {
  Error.captureStackTrace(error, blameTheCaller);
  throw error;
}

interface Connection {
  stream: Socket;
  /** Every error of the server, for any caller. */
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
}

/** The driver's own; its type definitions leave it out. */
export const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: Connection }).connection;
