// Checks that a decision was sealed under the policies of the journals, with the same evaluation as every verifier.

import { decidingChains } from '@countersign/proof-kit/considered';
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
import type { ChainSizes } from '../../../../policies/in-force.ts';
import type { ApprovalRow, OwnEventRow } from '../../../row.ts';
import type { Registration } from './passkeys.ts';
import type { PolicyHistory } from './policy-history.ts';

/** An approval with the registration of the key that signed it. */
type GivenRow = ApprovalRow & { registration: Registration | null | undefined };

/**
 * Whether a decision follows from the policies that the journals held when they were read. Expects rows that match what was
 * sealed. `at` is the record's timestamp.
 */
export function matchesPolicies(
  history: PolicyHistory,
  sealed: SealedDecision,
  { row, approvals, at }: { row: OwnEventRow; approvals: readonly GivenRow[]; at: string },
): boolean {
  const facts = { ...factsOf(sealed, row, approvals), actionType: sealed.event.action.type };
  const asked = requirementsOf(sealed.policy.guards);
  if (asked === null || selfApproval(asked, facts) !== -1) return false;
  const sizes = sizesIn(sealed);
  // The journal must have been read after the decision was recorded on it, and not long before the seal.
  if (sizes && (row.journal_index >= sizes.own || history.isOutdated(sizes, at))) return false;
  for (const policies of sizes ? history.upTo(sizes, at) : history.around(at))
    if (policyFault(policies, sealed.policy, facts) === null) return true;
  return false;
}

/** How much of the deciding chains was read; null for a decision sealed before format 4. */
export function sizesIn(sealed: SealedDecision): ChainSizes | null {
  const { journals } = sealed.policy;
  if (!journals) return null;
  const { own, platform, passkeys } = decidingChains(sealed);
  const sizeOf = (origin: string | null) => journals.find((each) => each.origin === origin)?.size ?? 0;
  return { own: sizeOf(own), platform: sizeOf(platform), passkeys: sizeOf(passkeys) };
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
      return [
        approvalFacts({ ...own.content, ...(own.registration && { passkeySince: own.registration.at }) }),
      ];
    }),
    underMandate: sealed.mandate !== undefined,
    beforeFormat4: sealed.policy.journals === undefined,
    grantsMandate: isMandateGrant(sealed.event.type, sealed.event.action.type),
  };
}

/** After an erasure the evidence level can no longer be computed, so it is taken from the sealed guard's text. */
function sealedLevel({ guards }: SealedPolicy): Level {
  return (/^level (\w+),/.exec(guards[1]?.detail ?? '')?.[1] ?? 'AUDIT_READY') as Level;
}
