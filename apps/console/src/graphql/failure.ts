import type { CombinedError } from 'urql';
import type { ErrorCode } from '../../../../src/lib/errors.ts';
import { faultMessage } from '../text/faults.ts';
import { memberLabel } from '../text/labels.ts';
import { Unconfirmed } from './connection.ts';

/** An error of the service. */
export interface Failure {
  /** A code of the service, or one of the console. */
  code: ErrorCode | 'UNREACHABLE' | 'PASSKEY' | 'WRONG_PROOF';
  message: string;
  details: Record<string, unknown> | undefined;
  retryAfter: number | undefined;
}

const unreachable = (message: string): Failure => ({
  code: 'UNREACHABLE',
  message,
  details: undefined,
  retryAfter: undefined,
});

/** A change is never sent twice without the person: the service may have made it and failed to answer. */
function unreachableMessage(cause: unknown): string {
  if (!(cause instanceof Unconfirmed))
    return 'The service could not be reached. Check your connection and try again.';
  return cause.wasSent
    ? 'The service did not answer, so this was probably not saved. Check before you send it again.'
    : 'Not saved: the service cannot be reached. Send it again when the connection is back.';
}

export function failureOf(error: CombinedError | Error | undefined): Failure | undefined {
  if (!error) return undefined;
  const [first] = 'graphQLErrors' in error ? error.graphQLErrors : [];
  if (!first) return unreachable(unreachableMessage('networkError' in error ? error.networkError : error));
  const { code, details, retryAfter } = first.extensions as Partial<Failure>;
  return { code: code ?? 'INTERNAL_ERROR', message: first.message, details, retryAfter };
}

const NOT_ALLOWED = new Set<Failure['code']>(['INSUFFICIENT_ROLE', 'FORBIDDEN']);
const NO_CENTER = new Set<Failure['code']>([
  'NO_MEMBERSHIP',
  'MEMBERSHIP_SUSPENDED',
  'MEMBERSHIP_ENDED',
  'CENTER_SUSPENDED',
  'CENTER_NOT_FOUND',
]);

/** Problems of the service that pass: what was read before them is still worth showing. */
const PASSING = new Set<Failure['code']>([
  'UNREACHABLE',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'DATABASE_ERROR',
  'INTERNAL_ERROR',
]);

/** The provider that the center requires, if the session was opened in another way; null for other failures. */
export function requiredProvider({ details }: Failure): string | null {
  const { reason, provider } = details ?? {};
  return reason === 'provider_required' && typeof provider === 'string' ? provider : null;
}

export const isPassing = ({ code }: Failure) => PASSING.has(code);
export const isNotAllowed = ({ code }: Failure) => NOT_ALLOWED.has(code) || NO_CENTER.has(code);
export const isFeatureOff = ({ code }: Failure) => code === 'FEATURE_DISABLED';
export const isMissing = ({ code }: Failure) => code === 'NOT_FOUND' || code === 'DPU_NOT_FOUND';

const fieldsOf = (details: Failure['details']): string[] => {
  const fields = (details?.['fields'] ?? []) as { path?: string; message?: string }[];
  if (!Array.isArray(fields)) return [];
  return fields.flatMap(({ path = '', message }) => (message ? [fieldMessage(path, message)] : []));
};

/** Names the field: a form shows the messages together above its fields. */
function fieldMessage(path: string, message: string): string {
  const name = path.split('.').findLast((part) => /\D/.test(part));
  return name ? `${memberLabel(name)}: ${faultMessage(message)}` : faultMessage(message);
}

/** A sentence that says what happened and what to do. */
export function failureMessage(failure: Failure): string {
  switch (failure.code) {
    case 'RATE_LIMITED':
      return failure.retryAfter
        ? `Too many requests. Try again in ${durationText(failure.retryAfter)}.`
        : 'Too many requests. Wait a moment and try again.';
    case 'INVALID_CREDENTIALS':
      return 'The email, the phone number or the password is incorrect. Check them and try again.';
    case 'INSUFFICIENT_ROLE':
      return 'Your role does not allow this. Ask an administrator of the center.';
    case 'SERVICE_UNAVAILABLE':
      return failure.message || 'The service is busy right now. Try again in a moment.';
    case 'INTERNAL_ERROR':
    case 'DATABASE_ERROR':
      return 'Something went wrong on our side. Try again. If the problem persists, contact the operator of this service.';
    case 'VALIDATION_ERROR': {
      const fields = fieldsOf(failure.details);
      return fields.length > 0 ? fields.join(' ') : failure.message;
    }
    default:
      return failure.message;
  }
}

const durationText = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
