// Checks that a decision was sealed under the policies in force, with the same evaluation as every verifier.

import type { SealedDecision, SealedPolicy } from '@countersign/proof-kit/decision';
import {
  type DecisionFacts,
  isMandateGrant,
  type Level,
  requirementsOf,
  selfApproval,
} from '@countersign/proof-kit/guards';
import { approvalFacts } from '@countersign/proof-kit/quorum';
import { policyFault } from '@countersign/proof-kit/verify-policies';
import type { ApprovalRow, OwnEventRow } from '../../../row.ts';
import type { PolicyHistory } from './policy-history.ts';

/** An approval with the registration time of the key that signed it. */
type GivenRow = ApprovalRow & { since: string | null | undefined };

/** Expects rows that match what was sealed. `at` is the record's timestamp. */
export function matchesPoliciesInForce(
  history: PolicyHistory,
  sealed: SealedDecision,
  { row, approvals, at }: { row: OwnEventRow; approvals: readonly GivenRow[]; at: string },
): boolean {
  const facts = { ...factsOf(sealed, row, approvals), actionType: sealed.event.action.type };
  const asked = requirementsOf(sealed.policy.guards);
  if (asked === null || selfApproval(asked, facts) !== -1) return false;
  for (const policies of history.around(at))
    if (policyFault(policies, sealed.policy, facts) === null) return true;
  return false;
}

function factsOf(sealed: SealedDecision, row: OwnEventRow, approvals: readonly GivenRow[]): DecisionFacts {
  const event = row.content;
  return {
    eventType: sealed.event.type,
    actorId: event.actor.id,
    actorType: sealed.event.actor.type,
    hasAiContext: sealed.event.aiContext !== undefined,
    riskScore: row.erased?.['riskScore'] ? undefined : (event.riskScore ?? null),
    evidenceLevel: sealedLevel(sealed.policy),
    occurredAt: sealed.event.occurredAt,
    // In sealed order, which an ordered quorum depends on.
    approvals: sealed.approvals.flatMap(({ id }) => {
      const own = approvals.find((each) => each.id === id);
      if (!own) return [];
      return [approvalFacts({ ...own.content, ...(own.since && { passkeySince: own.since }) })];
    }),
    underMandate: sealed.mandate !== undefined,
    grantsMandate: isMandateGrant(sealed.event.type, sealed.event.action.type),
  };
}

/** After an erasure the evidence level can no longer be computed, so it is taken from the sealed guard's text. */
function sealedLevel({ guards }: SealedPolicy): Level {
  return (/^level (\w+),/.exec(guards[1]?.detail ?? '')?.[1] ?? 'AUDIT_READY') as Level;
}
