/**
 * Finds what a verifier would reject in a decision before it is sealed, since afterwards it would be refuted forever. Uses the
 * same forms and rules as for documents. Signatures are checked on arrival (`webAuthnFault`).
 */
import { APPROVAL, decisionForm, EVENT, rejectionForm, type SealedDecision } from './decision.ts';
import { checkRejectionRules, checkRules, policyFacts } from './decision-rules.ts';
import type { DisclosedDecision, SealedRejection, ShownApproval, ShownEvent } from './disclose.ts';
import type { Policy } from './effective-policy.ts';
import { approvalFacts, type GivenApproval } from './quorum.ts';
import { Refutation } from './sealed-content.ts';
import { checkTerms, type Terms } from './verify-mandate.ts';
import { policyFault } from './verify-policies.ts';

/** A decision about to be sealed: its content and the values behind the digests. */
interface Sealable {
  content: SealedDecision;
  event: ShownEvent;
  approvals: readonly (ShownApproval & Pick<GivenApproval, 'passkeySince'>)[];
}

/** What a decision is checked against before it is sealed. */
export interface SealRules {
  /** The policies in force. */
  policies: readonly Policy[];
  /** The seal carries this time or a later one. */
  sealedAt: string;
  /** The terms of the mandate that approves it. */
  terms?: Terms | undefined;
}

/** The fault as a clause, or null. */
export function decisionFault(
  { content, event, approvals }: Sealable,
  { policies, sealedAt, terms }: SealRules,
): string | null {
  const ofForm = decisionForm(content, '') ?? EVENT.fault(event) ?? firstFault(approvals);
  if (ofForm !== null) return ofForm.trim();
  const decision: DisclosedDecision = {
    content,
    policy: content.policy,
    event,
    approvals: [...approvals],
    withheld: [],
    signatures: [],
    inputDisclosure: undefined,
    actionWithheld: [],
  };
  const broken = refutationOf(() => {
    checkRules(decision, sealedAt);
    if (content.mandate && terms) checkTerms(terms, decision, { mandate: content.mandate, sealedAt });
  });
  if (broken !== null) return broken;
  const facts = policyFacts(decision, (i) => approvalFacts(approvals[i]!).passkeyAgeHours);
  return policyFault(policies, content.policy, facts);
}

/** The same for a decision about to be rejected; the author is not known yet. */
export function rejectionFault(
  content: SealedRejection,
  { event, approval }: { event: ShownEvent; approval: ShownApproval },
): string | null {
  const by = { kind: approval.by.kind };
  const ofForm = rejectionForm({ ...content, by }, '') ?? EVENT.fault(event) ?? APPROVAL.fault(approval);
  if (ofForm !== null) return ofForm.trim();
  return refutationOf(() => checkRejectionRules(event, approval, approval.approvedAt));
}

function refutationOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refutation) return error.message;
    throw error;
  }
}

/** The same for the values of an approval that does not settle the decision. */
export const approvalFault = (approval: ShownApproval): string | null => APPROVAL.fault(approval);

function firstFault(approvals: readonly ShownApproval[]): string | null {
  for (const approval of approvals) {
    const found = approvalFault(approval);
    if (found !== null) return found;
  }
  return null;
}
