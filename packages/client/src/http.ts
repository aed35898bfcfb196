import { CountersignError, errorFrom } from './error.ts';

export interface ClientOptions {
  /** The base URL of the service, such as `https://countersign.example`. */
  baseUrl: string;
  /** For `/v1`: decisions, evidence, webhooks. */
  apiKey?: string;
  /** For the platform paths: the access token of a signed-in person, or a function that returns one. */
  accessToken?: string | (() => string | Promise<string>);
  /** A custom `fetch`, for tests or proxies. */
  fetch?: typeof fetch;
  /** The timeout of one attempt, in milliseconds. */
  timeout?: number;
  /** The delays before retries, in milliseconds; an empty list disables retries. */
  retryDelays?: readonly number[];
}

export interface CallOptions {
  /** Aborts the call and its retries. */
  signal?: AbortSignal;
  /** Makes a repeat of this call safe across processes; generated if omitted. */
  idempotencyKey?: string;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

/** The recommended schedule: attempts at 0, 1, 2 and 4 seconds. */
const RETRY_DELAYS = [1_000, 2_000, 4_000];
const TIMEOUT = 30_000;
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/** Sends calls, retries where safe, and turns failures into CountersignError. */
export class Transport {
  readonly baseUrl: string;
  readonly #options: ClientOptions;
  /** The latest X-Read-After of the responses so far, sent with every call, so that it reads this client's writes. */
  #readAfter: string | null = null;

  constructor(options: ClientOptions) {
    this.baseUrl = serviceUrl(options.baseUrl);
    this.#options = options;
  }

  async json<T>(call: Call): Promise<T> {
    const response = await this.send(call);
    return (response.status === 204 ? null : await response.json()) as T;
  }

  /** Resolves with a success; throws otherwise. */
  async send(call: Call): Promise<Response> {
    const delays = this.#options.retryDelays ?? RETRY_DELAYS;
    // The same key for every attempt, so a call whose response was lost does not run twice.
    const idempotencyKey = call.idempotencyKey ?? globalThis.crypto.randomUUID();
    for (let attempt = 0; ; attempt++) {
      const failure = await this.#attempt({ ...call, idempotencyKey });
      if (failure instanceof Response) return failure;
      const delay = delays[attempt];
      if (delay === undefined || !isRetryable(failure) || call.signal?.aborted) throw failure;
      await wait(Math.max(delay, (failure.retryAfter ?? 0) * 1_000), call.signal);
    }
  }

  async #attempt(call: Call): Promise<Response | CountersignError> {
    const { fetch: send = globalThis.fetch, timeout = TIMEOUT } = this.#options;
    const limit = AbortSignal.timeout(timeout);
    const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit;
    try {
      const response = await send(this.#address(call), {
        method: call.method,
        headers: await this.#headers(call),
        signal,
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      this.#notePosition(response.headers.get('x-read-after'));
      return response.ok ? response : await errorFrom(response);
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason;
      if (!limit.aborted) return unreachable(this.baseUrl, cause);
      return new CountersignError({
        code: 'TIMEOUT',
        message: `No answer within ${timeout} ms.`,
        status: 0,
        cause,
      });
    }
  }

  #notePosition(told: string | null): void {
    if (told !== null && sortable(told) > sortable(this.#readAfter ?? '0/0')) this.#readAfter = told;
  }

  #address({ path, query = {} }: Call): URL {
    const url = new URL(`${this.baseUrl}/api${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  async #headers({ method, path, body, idempotencyKey }: Call): Promise<Record<string, string>> {
    const credential = path.startsWith('/v1/') ? this.#options.apiKey : await this.#accessToken();
    return {
      accept: 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(this.#readAfter && { 'x-read-after': this.#readAfter }),
    };
  }

  async #accessToken(): Promise<string | undefined> {
    const { accessToken } = this.#options;
    return typeof accessToken === 'function' ? accessToken() : accessToken;
  }
}

/** Positions are two hexadecimal numbers without leading zeros. */
const sortable = (position: string) =>
  position
    .split('/')
    .map((part) => part.padStart(8, '0'))
    .join('/');

/** A conflict with Retry-After means that this very call is still running elsewhere. */
function isRetryable({ status, retryAfter }: CountersignError): boolean {
  return status === 0 || RETRYABLE.has(status) || (status === 409 && retryAfter !== null);
}

/** The address of a service without a slash or `/api` at its end. */
export const serviceUrl = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api$/, '');

export function unreachable(baseUrl: string, cause: unknown): CountersignError {
  const message = `${baseUrl} could not be reached: ${reasonOf(cause)}`;
  return new CountersignError({ code: 'NETWORK', message, status: 0, cause });
}

function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { message?: string } }).cause?.message;
  return inner ?? (cause as Error).message;
}

export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(done, milliseconds);
    function done() {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    function abort() {
      clearTimeout(timer);
      reject(signal!.reason);
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}
