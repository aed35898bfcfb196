import type { Socket } from 'node:net';
import pg from 'pg';

type Callback = (error: Error | null, result?: unknown) => void;

export interface ClientConfig extends pg.ClientConfig {
  /** How long the server may stay silent while it owes an answer. */
  answerTimeoutMs?: number;
}

/**
 * A connection whose statements leave no garbage in old space. The driver stores functions on every query, for its promise and
 * its timeout, and V8 allocates functions assigned to a property directly in old space. Each would keep a statement with its
 * values and rows in memory until the next full collection (docs/decisions/0010-short-lived-garbage.md). The driver therefore
 * always gets a callback, and one timer covers all statements of a connection.
 */
export class Client extends pg.Client {
  readonly #answerTimer: NodeJS.Timeout | undefined;
  /** Statements that the server has not answered yet. */
  #unanswered = 0;

  constructor(config: ClientConfig = {}) {
    super(config);
    const { answerTimeoutMs } = config;
    if (answerTimeoutMs)
      this.#answerTimer = setTimeout(() => this.#closeIfUnanswered(), answerTimeoutMs).unref();
  }

  // All overloads of the driver's `query` arrive here.
  override query(...args: unknown[]): never {
    const callback = args.at(-1);
    if (typeof callback === 'function') return this.#send(args.slice(0, -1), callback as Callback) as never;
    return new Promise((resolve, reject) => {
      this.#send(args, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch(rethrowWithCallerStack) as never;
  }

  #send(statement: unknown[], callback: Callback): unknown {
    if (this.#unanswered++ === 0) this.#answerTimer?.refresh();
    let isUnanswered = true;
    const answered: Callback = (error, result) => {
      // The driver reports values it cannot send, and then the empty answer to them.
      if (isUnanswered) this.#unanswered--;
      isUnanswered = false;
      this.#answerTimer?.refresh();
      callback(error, result);
    };
    const send = super.query as (...args: unknown[]) => unknown;
    return send.call(this, ...statement, answered);
  }

  /** The connection is dead: running statements fail as if it had broken. */
  #closeIfUnanswered(): void {
    if (this.#unanswered > 0) connectionOf(this).stream.destroy(new Error('Query read timeout'));
  }
}

/** The stack of a driver error leads to the socket; this one leads to the caller, as the driver's own wrapper does. */
function rethrowWithCallerStack(error: Error): never {
  Error.captureStackTrace(error, rethrowWithCallerStack);
  throw error;
}

interface Connection {
  stream: Socket;
  /** Every server error, for any caller. */
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
}

/** A driver method that its type definitions omit. */
export const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: Connection }).connection;
