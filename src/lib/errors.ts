/**
 * Failures by the rules of the domain. The code is part of the contract: GraphQL shows it in `extensions.code`, REST maps it
 * to a status and one of two body shapes (src/rest/errors.ts).
 */
export const errorCodes = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'TOKEN_EXPIRED',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'NO_MEMBERSHIP',
  'MEMBERSHIP_SUSPENDED',
  'MEMBERSHIP_ENDED',
  'INSUFFICIENT_ROLE',
  'REAUTHENTICATION_REQUIRED',
  'FEATURE_DISABLED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'CENTER_NOT_FOUND',
  'CENTER_SUSPENDED',
  'SUBDOMAIN_TAKEN',
  'PROVISIONING_FAILED',
  'DUPLICATE_PROVISIONING',
  'DPU_NOT_FOUND',
  'DPU_SEALED',
  'CHAIN_BROKEN',
  'INVALID_EVIDENCE_LEVEL',
  'VALIDATION_ERROR',
  'INVALID_EMAIL',
  'INVALID_SUBDOMAIN',
  'MISSING_REQUIRED_FIELD',
  'POLICY_VIOLATION',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'RESPONSE_TOO_LARGE',
  'QUOTA_EXCEEDED',
  'MISDIRECTED_REQUEST',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'DATABASE_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

interface ErrorOptions {
  /** Facts that help the caller, such as invalid fields or the policy and rule. Never internals. */
  details?: Record<string, unknown>;
  /** Seconds to wait before a retry; sent as `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
}

/** An expected failure, safe to show to the caller. All other errors are masked. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}

/** The value, or NOT_FOUND with this message if there is none. */
export function requireFound<T>(value: T | null | undefined, message: string): T {
  if (value == null) throw new DomainError('NOT_FOUND', message);
  return value;
}

/** An invalid field in `details.fields`. */
export interface FieldFault {
  path: string;
  message: string;
}

/** The parts of a validation issue that an error shows. */
interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
  /** Unknown properties of the object at the path. */
  keys?: string[];
}

/** The invalid fields of an issue. An unknown property is listed itself, not the object that contains it. */
export function faultsOfIssue({ message, path = [], keys }: Issue): FieldFault[] {
  const parts = path.map((part) => String(typeof part === 'object' ? part.key : part));
  if (!keys) return [{ path: parts.join('.'), message }];
  return keys.map((key) => ({ path: [...parts, key].join('.'), message: 'unknown property' }));
}

/** Clients fix the first few errors; a list of thousands only costs time. */
const MOST_FAULTS = 50;

export const limitFaults = <T>(faults: T[]): T[] => faults.slice(0, MOST_FAULTS);

export function validationError(fields: FieldFault[]): DomainError {
  const first = fields[0];
  const message = first ? `${first.path || 'input'}: ${first.message}` : 'The input is not valid.';
  return new DomainError('VALIDATION_ERROR', message, { details: { fields: limitFaults(fields) } });
}

/** An error for the operator who starts the service. Each line of its message is complete by itself. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}
