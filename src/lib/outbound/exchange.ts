/** One request and its response: the deadline, the bounded body, and the single moment at which it is settled. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { exchangeFailure, type FailureKind, OutboundError } from './failure.ts';

interface OutboundResponse {
  ok: true;
  status: number;
  headers: IncomingHttpHeaders;
  /** The first `maxResponseBytes` bytes as text. */
  body: string;
  durationMs: number;
}

interface OutboundFailure {
  ok: false;
  kind: FailureKind;
  message: string;
  durationMs: number;
}

export type OutboundResult = OutboundResponse | OutboundFailure;

/** How much of an unwanted rest of a body is read and discarded. Up to here that is cheaper than closing the connection. */
const DISCARD_BYTES = 64 * 1024;

const NO_MORE_WANTED = new Error('the rest of the response is not wanted');

/** Until `onRequestStart` the request waits for a connection; if cancelled before, it is aborted as soon as it starts. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (result: OutboundResult) => void;
  readonly #maxBytes: number;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #abandoned: Error | undefined;
  #settled = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #kept = 0;
  #seen = 0;

  constructor(timeoutMs: number, maxResponseBytes: number, settle: (result: OutboundResult) => void) {
    this.#settle = settle;
    this.#maxBytes = maxResponseBytes;
    this.#deadline = setTimeout(() => {
      const late = new OutboundError('timeout', `no complete response within ${timeoutMs} ms`);
      this.#fail(late);
      this.#abandon(late);
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abandoned) controller.abort(this.#abandoned);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#seen += chunk.length;
    const room = this.#maxBytes - this.#kept;
    if (room > 0) {
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
      this.#chunks.push(part);
      this.#kept += part.length;
    }
    if (this.#seen > this.#maxBytes + DISCARD_BYTES) {
      this.#succeed();
      this.#abandon(NO_MORE_WANTED);
    }
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    const { kind, message } = exchangeFailure(error);
    this.#finish({ ok: false, kind, message, durationMs: this.#elapsed() });
  }

  #succeed(): void {
    if (this.#settled) return;
    this.#finish({
      ok: true,
      status: this.#status,
      headers: this.#headers,
      body: this.#text(),
      durationMs: this.#elapsed(),
    });
  }

  #finish(result: OutboundResult): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#chunks = [];
    this.#settle(result);
  }

  /** Aborts the request at any stage, and closes its connection. */
  #abandon(reason: Error): void {
    this.#abandoned = reason;
    this.#controller?.abort(reason);
  }

  /** Cuts no character in half, and removes NUL, which text columns cannot store. */
  #text(): string {
    if (this.#kept === 0) return '';
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#kept);
    const cut = this.#seen > this.#kept;
    const text = cut ? new TextDecoder().decode(bytes, { stream: true }) : bytes.toString('utf8');
    return text.replaceAll('\0', '\uFFFD');
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }
}
