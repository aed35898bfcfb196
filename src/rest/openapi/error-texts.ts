import type { ErrorCode } from '../../lib/errors.ts';

/** When each error occurs, for the OpenAPI document. */
export const errorTexts: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request cannot be read: the body is not JSON.',
  UNAUTHORIZED: 'The token or key is missing, wrong, expired or revoked.',
  TOKEN_EXPIRED: 'The access token has expired; exchange the refresh token for a new pair.',
  INVALID_CREDENTIALS: 'The email address or the password is wrong.',
  FORBIDDEN: 'The credential is valid, but the caller lacks the permission or the scope for this operation.',
  NO_MEMBERSHIP: 'The person has no active membership in the center.',
  MEMBERSHIP_SUSPENDED: 'The membership in the center is suspended.',
  MEMBERSHIP_ENDED: 'The membership in the center has ended.',
  INSUFFICIENT_ROLE: 'The operation requires another role in the center or partner.',
  REAUTHENTICATION_REQUIRED:
    'The session was not proven with a password or passkey within the last 5 minutes; call `reauthenticate` first.',
  FEATURE_DISABLED:
    'The feature is switched off for the center, or its plan does not include it; `details` names the plan that does.',
  NOT_FOUND: 'The path does not exist, or the object does not exist in this center.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method.',
  CENTER_NOT_FOUND: 'No open center has this domain slug or id.',
  CENTER_SUSPENDED: 'The center is suspended; no member can enter it until it is reactivated.',
  SUBDOMAIN_TAKEN: 'The subdomain is taken or reserved.',
  PROVISIONING_FAILED:
    'The center could not be created; nothing is left behind, so the order can be repeated.',
  DUPLICATE_PROVISIONING: 'The order was used before with another body.',
  DPU_NOT_FOUND: 'Decision proof unit not found in this center.',
  DPU_SEALED: 'The record is at AUDIT_READY and can no longer be changed.',
  CHAIN_BROKEN: 'The record or its place in the chain no longer fits what was sealed.',
  INVALID_EVIDENCE_LEVEL: 'The evidence level can only rise.',
  VALIDATION_ERROR: 'The request is readable, but a value is not allowed; `details.fields` names it.',
  INVALID_EMAIL: 'The email address is malformed; it needs the form `name@example.org`.',
  INVALID_SUBDOMAIN: 'A subdomain has 3 to 30 lowercase letters, digits and hyphens.',
  MISSING_REQUIRED_FIELD: 'A required field is missing; the message names it.',
  POLICY_VIOLATION: 'A guard of the policy refuses; `details` names the policy and the rule.',
  CONFLICT:
    'The state of the object does not allow this now, or an idempotency key was used before with another body.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB, or than 64 KiB without a credential.',
  RESPONSE_TOO_LARGE: 'The answer, or the content to be read for it, exceeds 16 MiB. Ask for fewer items.',
  QUOTA_EXCEEDED: 'The center has used up its storage; an operator can raise `STORAGE_QUOTA_MB`.',
  MISDIRECTED_REQUEST: 'The `Host` header names another service.',
  NOT_ACCEPTABLE: 'The caller accepts none of the formats that are served here.',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be JSON, with `Content-Type: application/json`.',
  RATE_LIMITED: 'Too many requests; `Retry-After` says how many seconds to wait.',
  INTERNAL_ERROR: 'The service failed unexpectedly; name the request id to support.',
  DATABASE_ERROR: 'A database query failed, although the database can be reached.',
  SERVICE_UNAVAILABLE: 'The service or its database is unavailable; `Retry-After` says when to try again.',
};
