import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { Author } from '../principal.ts';

/**
 * Only the API key that requested a decision may claim it, report its outcome or withdraw it. A person acts here as an ADMIN,
 * which the schema has already checked.
 */
export function checkRequester({ principal }: Context, requester: Author | null): void {
  if (principal.kind !== 'apiKey') return;
  if (requester?.kind === 'api_key' && requester.id === principal.keyId) return;
  throw new DomainError('FORBIDDEN', 'Only the API key that requested this decision may do this.');
}

/** The API key whose decisions the caller is limited to; null if the caller may see all decisions of the center. */
export function onlyRequestsOf({ principal }: Context): string | null {
  if (principal.kind !== 'apiKey') return null;
  const mayReadAll = principal.scopes.some((scope) => scope !== 'proof:request');
  return mayReadAll ? null : principal.keyId;
}

/** Whether a decision is hidden from a caller that may only request decisions. */
export function isHidden(ctx: Context, requester: Author | null): boolean {
  const keyId = onlyRequestsOf(ctx);
  return keyId !== null && !(requester?.kind === 'api_key' && requester.id === keyId);
}
