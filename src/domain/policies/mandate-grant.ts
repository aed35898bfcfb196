import { normalText } from '@countersign/proof-kit/approver-id';
import type { ApprovedByKind } from '@countersign/proof-kit/decision';
import { isStrongEnough } from '@countersign/proof-kit/quorum';
import { DomainError } from '../../lib/errors.ts';

export const MANDATE_GRANT = 'mandate.grant';

/** Whatever the kind of the decision, so that no other kind looks like a grant without a person behind it. */
export const isGrant = (actionType: string): boolean => normalText(actionType) === MANDATE_GRANT;

/**
 * Whether an approval of this kind may count for an action. An API key only asserts that a person approved, so it could grant a
 * mandate to itself in the name of any person.
 */
export const mayApprove = (actionType: string, byKind: ApprovedByKind): boolean =>
  !isGrant(actionType) || isStrongEnough(byKind, 'SESSION');

export const mandateGrantViolation = () =>
  new DomainError(
    'POLICY_VIOLATION',
    'A mandate is granted by a person who is signed in or signs with a passkey. API keys can only reject it.',
    { details: { rule: 'mandate_grant' } },
  );
