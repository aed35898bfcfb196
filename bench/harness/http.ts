import { type Dispatcher, Pool } from 'undici';
import { closedLoop, type Side } from './measure.ts';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * The number of callers that seal concurrently; with half as many, a server that batches writes waits for its callers a
 * quarter of the time.
 */
export const HTTP_CALLERS = 64;

/**
 * A server must warm up before its speed means anything: compilers and caches need about ten thousand requests. Many short
 * turns follow, because the machine's speed changes from second to second.
 */
export const HTTP_PACE = { warmupSeconds: 7, rounds: 6, secondsEach: 1.5 };

/** Connections to a server on this machine. */
export interface Connections {
  /** Returns the response body. A wrong status ends the benchmark: the speed of errors is meaningless. */
  send(call: Call, expected: number): Promise<() => string>;
  close(): Promise<void>;
}

/**
 * Callers share the machine with the server, so they do as little as possible: undici's `request` would create a stream per
 * response, and garbage whose collection stops all callers for 30 ms now and then.
 */
export function connectTo(port: number, connections: number): Connections {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  return {
    async send(call, expected) {
      const { status, text } = await new Promise<Answer>((resolve, reject) => {
        pool.dispatch(call, new Answering(resolve, reject));
      });
      if (status !== expected) throw new Error(`${call.method} ${call.path}: ${status} ${text()}`);
      return text;
    },
    close: () => pool.close(),
  };
}

interface Answer {
  status: number;
  text(): string;
}

class Answering implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const text = () => Buffer.concat(this.#chunks).toString();
    this.#resolve({ status: this.#status, text });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#reject(error);
  }
}

/** Callers over keep-alive connections, one each. */
export function httpSide(
  port: number,
  callers: number,
  expected: number,
  call: () => Call,
): Side & { close(): Promise<void> } {
  const { send, close } = connectTo(port, callers);
  return { ...closedLoop(callers, () => send(call(), expected)), close };
}
