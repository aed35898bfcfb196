import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { Author } from '../principal.ts';

/**
 * Only the API key that asked for a decision claims it, reports its outcome or withdraws it. A person acts here as an
 * ADMIN, which the schema has checked.
 */
export function checkRequester({ principal }: Context, requester: Author | null): void {
  if (principal.kind !== 'apiKey') return;
  if (requester?.kind === 'api_key' && requester.id === principal.keyId) return;
  throw new DomainError('FORBIDDEN', 'Only the API key that asked for this decision may do this.');
}

/** The key whose decisions alone the caller may see; null for callers that may see all of their center. */
export function onlyRequestsOf({ principal }: Context): string | null {
  if (principal.kind !== 'apiKey') return null;
  const mayReadAll = principal.scopes.some((scope) => scope !== 'proof:request');
  return mayReadAll ? null : principal.keyId;
}

/** Whether a decision is hidden from a caller that may only ask. */
export function isHidden(ctx: Context, requester: Author | null): boolean {
  const keyId = onlyRequestsOf(ctx);
  return keyId !== null && !(requester?.kind === 'api_key' && requester.id === keyId);
}
