import { GraphQLError } from 'graphql';
import { isDatabaseError, isOutOfReach } from '../db/faults.ts';
import { DomainError, type ErrorCode } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/** What a caller may be told of a failure. */
export interface PublicError {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
  retryAfter?: number | undefined;
}

/** The error that a resolver threw, without the wrappers that GraphQL put around it. */
function rootError(error: unknown): unknown {
  let current = error;
  while (current instanceof GraphQLError && current.originalError) current = current.originalError;
  return current;
}

/** Expected failures pass as they are; everything else is logged in full and shown as one of three plain codes. */
export function publicError(error: unknown, log: Log): PublicError {
  const root = rootError(error);
  if (root instanceof DomainError) {
    return { code: root.code, message: root.message, details: root.details, retryAfter: root.retryAfter };
  }
  if (root instanceof GraphQLError) {
    // The query itself, or a value in it, was at fault: graphql-js says so in words meant for the caller.
    return { code: 'VALIDATION_ERROR', message: root.message };
  }
  if (isOutOfReach(root)) {
    log.warn({ err: root }, 'the database is out of reach');
    return { code: 'SERVICE_UNAVAILABLE', message: 'Temporarily unavailable; try again.', retryAfter: 1 };
  }
  log.error({ err: root }, 'unexpected error');
  return isDatabaseError(root)
    ? { code: 'DATABASE_ERROR', message: 'The database could not carry this out.' }
    : { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' };
}

/** The same, in the form GraphQL callers get. */
export function maskedError(error: unknown, log: Log): GraphQLError {
  const { code, message, details, retryAfter } = publicError(error, log);
  const { nodes, source, positions, path, extensions } =
    error instanceof GraphQLError ? error : ({ extensions: {} } as GraphQLError);
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    extensions: {
      code,
      ...(details && { details }),
      ...(retryAfter !== undefined && { retryAfter }),
      // Yoga's own word on the status of a request it could not take.
      ...(extensions['http'] !== undefined && { http: extensions['http'] }),
    },
  });
}
