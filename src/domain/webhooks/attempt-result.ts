import type { OutboundResult } from '../../lib/outbound/exchange.ts';

/** The result of a delivery attempt. */
export interface AttemptResult {
  ok: boolean;
  /** The endpoint asked to receive nothing more (410). */
  gone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** The number of seconds that the endpoint asked to wait. */
  retryAfter: number | null;
}

const LONGEST_RETRY_AFTER = 24 * 3_600;

export function attemptResult(answer: OutboundResult, now: Date): AttemptResult {
  const durationMs = Math.round(answer.durationMs);
  if (!answer.ok) {
    const error = `${answer.kind}: ${printable(answer.message)}`;
    return { ...nothing, error, durationMs };
  }
  const { status, headers } = answer;
  const asked = status === 429 || status === 503 ? headers['retry-after'] : undefined;
  return {
    ok: status >= 200 && status < 300,
    gone: status === 410,
    responseStatus: status,
    responseBody: printable(answer.body),
    error: null,
    durationMs,
    retryAfter: retryAfterSeconds(asked, now),
  };
}

const nothing = { ok: false, gone: false, responseStatus: null, responseBody: null, retryAfter: null };

/** Seconds or an HTTP date. Anything else is ignored. */
function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER);
}

/** PostgreSQL cannot store NUL in text. */
function printable(value: string): string {
  return value.replaceAll('\0', '\uFFFD').toWellFormed();
}
