import type { PublicError } from '../api/public-error.ts';
import type { ErrorCode } from '../lib/errors.ts';
import type { Dialect } from './route.ts';

/** The only place that maps codes to statuses. */
const statuses: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  INVALID_EMAIL: 400,
  INVALID_SUBDOMAIN: 400,
  MISSING_REQUIRED_FIELD: 400,
  INVALID_EVIDENCE_LEVEL: 400,
  UNAUTHORIZED: 401,
  TOKEN_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NO_MEMBERSHIP: 403,
  MEMBERSHIP_SUSPENDED: 403,
  MEMBERSHIP_ENDED: 403,
  INSUFFICIENT_ROLE: 403,
  REAUTHENTICATION_REQUIRED: 403,
  FEATURE_DISABLED: 403,
  CENTER_SUSPENDED: 403,
  DPU_SEALED: 403,
  NOT_FOUND: 404,
  CENTER_NOT_FOUND: 404,
  DPU_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  SUBDOMAIN_TAKEN: 409,
  DUPLICATE_PROVISIONING: 409,
  PAYLOAD_TOO_LARGE: 413,
  RESPONSE_TOO_LARGE: 413,
  QUOTA_EXCEEDED: 413,
  MISDIRECTED_REQUEST: 421,
  UNSUPPORTED_MEDIA_TYPE: 415,
  CHAIN_BROKEN: 422,
  POLICY_VIOLATION: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  DATABASE_ERROR: 500,
  PROVISIONING_FAILED: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** Codes that differ between the two formats. */
const names: Record<Dialect, Partial<Record<ErrorCode, string>>> = {
  platform: { BAD_REQUEST: 'VALIDATION_ERROR' },
  proof: {
    RATE_LIMITED: 'RATE_LIMIT',
    DATABASE_ERROR: 'INTERNAL_ERROR',
    DPU_NOT_FOUND: 'NOT_FOUND',
    TOKEN_EXPIRED: 'UNAUTHORIZED',
    INSUFFICIENT_ROLE: 'FORBIDDEN',
    MISSING_REQUIRED_FIELD: 'VALIDATION_ERROR',
  },
};

export function statusOf(code: ErrorCode, dialect: Dialect): number {
  const unprocessable = code === 'VALIDATION_ERROR' || code === 'MISSING_REQUIRED_FIELD';
  return dialect === 'proof' && unprocessable ? 422 : statuses[code];
}

export function nameOf(code: ErrorCode, dialect: Dialect): string {
  return names[dialect][code] ?? code;
}

/** The error body in the format of the path. */
export function errorBody(error: PublicError, dialect: Dialect, requestId: string): object {
  const { message, details } = error;
  const code = nameOf(error.code, dialect);
  return dialect === 'platform'
    ? { success: false, error: { code, message, ...(details && { details }) } }
    : { error: { code, message, requestId, details: details ?? {} } };
}

/** A GraphQL request that was rejected before it reached the schema. */
export function graphqlBody({ code, message, details, retryAfter }: PublicError): object {
  return { errors: [{ message, extensions: { code, details, retryAfter } }] };
}

export const SCIM_TYPE = 'application/scim+json';

/** The error form of SCIM (RFC 7644, section 3.12). */
export function scimError(status: number, detail: string, scimType: string | null): object {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return { schemas, status: String(status), ...(scimType !== null && { scimType }), detail };
}

/** A failure of a SCIM request outside of its resources. */
export function scimBody({ code, message }: PublicError): object {
  const isMalformed = code === 'BAD_REQUEST' || code === 'VALIDATION_ERROR';
  return scimError(statusOf(code, 'platform'), message, isMalformed ? 'invalidSyntax' : null);
}

export const isScimPath = (path: string): boolean => path === '/scim' || path.startsWith('/scim/');
