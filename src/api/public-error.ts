import { isDatabaseError, isUnavailable } from '../db/faults.ts';
import { DomainError, type ErrorCode } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/** The part of a failure that a caller may see. */
export interface PublicError {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
  retryAfter?: number | undefined;
}

/** Expected failures pass unchanged; all others are logged in full and shown as one of three generic codes. */
export function publicError(error: unknown, log: Log): PublicError {
  if (error instanceof DomainError) {
    const { code, message, details, retryAfter } = error;
    return { code, message, details, retryAfter };
  }
  if (isUnavailable(error)) {
    log.warn({ err: error }, 'the database is out of reach or busy');
    return {
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is temporarily unavailable; try again in a moment.',
      retryAfter: 1,
    };
  }
  log.error({ err: error }, 'unexpected error');
  return isDatabaseError(error)
    ? {
        code: 'DATABASE_ERROR',
        message: 'A database query failed. Report it with the X-Request-Id of this response.',
      }
    : {
        code: 'INTERNAL_ERROR',
        message: 'The service failed unexpectedly. Report it with the X-Request-Id of this response.',
      };
}
