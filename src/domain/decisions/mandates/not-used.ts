// Why a mandate is not used, in a closed set of sentences for agents and people. They name no policy and no value of a call.
import type { EffectivePolicy } from '@countersign/proof-kit/effective-policy';
import { isStrongEnough } from '@countersign/proof-kit/quorum';

export const NOT_USED = {
  pending: 'The mandate still waits for its approval.',
  revoked: 'The mandate was revoked.',
  expired: 'The mandate has expired.',
  not_yet_valid: 'The mandate is not valid yet.',
  no_uses_left: 'All uses of the mandate are used up.',
  no_budget_left: 'The call would exceed the budget of the mandate.',
  no_amount: 'The input has no number of 0 or more at the path that the budget of the mandate adds up.',
  condition_not_met: 'The call does not meet the condition of the mandate.',
  condition_failed: 'The condition of the mandate could not be evaluated for this call.',
  needs_passkey: 'A policy requires approvers who sign with a passkey, which a mandate cannot do.',
  needs_session: 'A policy requires approvers who are signed in, which a mandate is not.',
  needs_two: 'A policy requires two approvers, and a mandate counts as none.',
  needs_more: 'A policy requires something that a mandate does not replace.',
  grants: 'Only a person can grant a mandate.',
  no_keys: 'None of the API keys of the mandate can be used any more. Request it again with other keys.',
} as const;

export type NotUsed = keyof typeof NOT_USED;

/** A mandate that matches the agent, the key and the action of a call, but did not approve it. */
export interface UnusedMandate {
  id: string;
  /** The sentence. */
  notUsed: string;
}

export const unused = (id: string, reason: NotUsed): UnusedMandate => ({ id, notUsed: NOT_USED[reason] });

/** What the policies of an action require that no mandate can give; null if a mandate can be used. */
export function obstacleIn({ guards }: EffectivePolicy): NotUsed | null {
  if (guards.dualApproval?.value) return 'needs_two';
  const asked = guards.approverAuthentication?.value ?? 'ASSERTED';
  if (isStrongEnough('mandate', asked)) return null;
  return asked === 'SIGNED' ? 'needs_passkey' : 'needs_session';
}
