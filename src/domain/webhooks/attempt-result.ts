import type { OutboundResult } from '../../lib/outbound/exchange.ts';

/** What an attempt came to. */
export interface AttemptResult {
  ok: boolean;
  /** The consumer wants nothing more, ever (410). */
  gone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** The consumer asked to be left alone for so many seconds. */
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

/** Seconds or a date, as HTTP has it; anything else asks for nothing. */
function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER);
}

/** PostgreSQL keeps no NUL in text. */
function printable(value: string): string {
  return value.replaceAll('\0', '\uFFFD').toWellFormed();
}
