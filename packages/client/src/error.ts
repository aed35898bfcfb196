/** Thrown by every failed call, whichever of the two error formats its path uses. */
export class CountersignError extends Error {
  /** Machine-readable: a code of the API, `NETWORK` or `TIMEOUT`. */
  readonly code: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The request id for support; null if there was no response. */
  readonly requestId: string | null;
  readonly details: Record<string, unknown>;
  /** Seconds to wait before a retry, if the service sent them. */
  readonly retryAfter: number | null;

  constructor(fields: {
    code: string;
    message: string;
    status: number;
    requestId?: string | null;
    details?: Record<string, unknown>;
    retryAfter?: number | null;
    cause?: unknown;
  }) {
    super(fields.message, { cause: fields.cause });
    this.name = 'CountersignError';
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId ?? null;
    this.details = fields.details ?? {};
    this.retryAfter = fields.retryAfter ?? null;
  }
}

interface ErrorBody {
  error?: { code?: string; message?: string; requestId?: string; details?: Record<string, unknown> };
}

/** The error for an unsuccessful response. */
export async function errorFrom(response: Response): Promise<CountersignError> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return new CountersignError({
    code: body.error?.code ?? `HTTP_${response.status}`,
    message: body.error?.message ?? `The service answered ${response.status}.`,
    status: response.status,
    requestId: body.error?.requestId ?? response.headers.get('x-request-id'),
    details: body.error?.details ?? {},
    retryAfter: retryAfterSeconds(response.headers.get('retry-after')),
  });
}

/** HTTP allows seconds or a date. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - now) / 1_000));
}
