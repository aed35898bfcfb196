/**
 * Finds what a verifier would reject in a decision before it is sealed, since afterwards it would be refuted forever. Uses the
 * same forms and rules as for documents. Signatures are checked on arrival (`webAuthnFault`).
 */
import {
  ACTION_MEMBERS,
  ACTOR_MEMBERS,
  AI_MEMBERS,
  APPROVER_MEMBERS,
  approvalMembers,
  byMembers,
  type Disclosable,
  decisionForm,
  EVENT_MEMBERS,
  rejectionForm,
} from './decision-form.ts';
import { checkRejectionRules, checkRules, factsOf } from './decision-rules.ts';
import type { DisclosedDecision, SealedRejection, ShownApproval, ShownEvent } from './disclose.ts';
import type { Policy } from './effective-policy.ts';
import { approvalFacts, type GivenApproval } from './quorum.ts';
import { Refutation } from './sealed-content.ts';
import type { SealedDecision } from './sealed-decision.ts';
import { checkTerms, type Terms } from './verify-mandate.ts';
import { policyFault } from './verify-policies.ts';

/** An event whose values may not be JSON. */
type PlainEvent = Omit<ShownEvent, 'action'> & {
  action: { type: string; description?: string; input?: unknown; output?: unknown };
};

/** A decision about to be sealed: its content and the values behind the digests. */
interface Sealable {
  content: SealedDecision;
  event: PlainEvent;
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
  const ofForm = decisionForm(content, '') ?? eventFault(event) ?? firstFault(approvals, approvalFault);
  if (ofForm !== null) return ofForm.trim();
  const decision: DisclosedDecision = {
    content,
    policy: content.policy,
    event: event as ShownEvent,
    approvals: [...approvals],
    withheld: [],
    signatures: [],
    inputDisclosure: undefined,
    actionWithheld: [],
  };
  const broken = refutationOf(() => {
    checkRules(decision, sealedAt);
    if (content.mandate && terms) checkTerms(terms, decision, content.mandate);
  });
  if (broken !== null) return broken;
  const facts = factsOf(decision);
  return policyFault(policies, content.policy, {
    ...facts,
    actionType: event.action.type,
    approvals: facts.approvals.map((each, i) => ({
      ...each,
      passkeyAgeHours: approvalFacts(approvals[i]!).passkeyAgeHours,
    })),
  });
}

/** The same for a decision about to be rejected; the author is not known yet. */
export function rejectionFault(
  content: SealedRejection,
  { event, approval }: { event: PlainEvent; approval: ShownApproval },
): string | null {
  const by = { kind: approval.by.kind };
  const ofForm = rejectionForm({ ...content, by }, '') ?? eventFault(event) ?? approvalFault(approval);
  if (ofForm !== null) return ofForm.trim();
  return refutationOf(() => checkRejectionRules(event as ShownEvent, approval, approval.approvedAt));
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

/** Faults in the disclosable values of an event. */
function eventFault(event: PlainEvent): string | null {
  return (
    memberFault(event, EVENT_MEMBERS, '') ??
    memberFault(event.actor, ACTOR_MEMBERS, 'actor.') ??
    memberFault(event.action, ACTION_MEMBERS, 'action.') ??
    memberFault(event.aiContext ?? {}, AI_MEMBERS, 'aiContext.')
  );
}

/** Faults in the disclosable values of an approval. */
export function approvalFault(approval: ShownApproval): string | null {
  return (
    memberFault(approval, approvalMembers(approval), 'approvals.') ??
    memberFault(approval.approver, APPROVER_MEMBERS, 'approvals.approver.') ??
    memberFault(approval.by, byMembers(approval.by.kind), 'approvals.by.')
  );
}

function memberFault(object: object, members: readonly Disclosable[], prefix: string): string | null {
  return firstFault(members, ({ name, form, presence }) => {
    const value = (object as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) return form(value, prefix + name);
    return presence === 'always' ? `${prefix}${name} is missing` : null;
  });
}

function firstFault<T>(list: readonly T[], faultOf: (each: T) => string | null): string | null {
  for (const each of list) {
    const found = faultOf(each);
    if (found !== null) return found;
  }
  return null;
}
