/** Reads a sealed decision or rejection with its disclosures. */
import type { JsonValue } from './canonical.ts';
import {
  ACTION_MEMBERS,
  ACTOR_MEMBERS,
  AI_MEMBERS,
  APPROVER_MEMBERS,
  approvalMembers,
  byMembers,
  decisionForm,
  EVENT_MEMBERS,
  rejectionForm,
} from './decision-form.ts';
import { DisclosureSet, open, Refutation, readContent, type Withheld } from './sealed-content.ts';
import {
  type ApprovedByKind,
  eventDigest,
  type SealedApproval,
  type SealedDecision,
  type SealedEvent,
  type SealedPolicy,
  type Seating,
  type WebAuthnSignature,
} from './sealed-decision.ts';

/** An event with its disclosed members. */
export interface ShownEvent {
  id: string;
  decisionId?: string;
  type: string;
  actor: { id?: string; type: string; name?: string };
  action: { type: string; description?: string; input?: JsonValue; output?: JsonValue };
  aiContext?: { model?: string; provider?: string; confidence?: number; reasoning?: string };
  tags?: string[];
  riskScore?: number;
  occurredAt: string;
}

export interface ShownApproval extends Seating {
  id: string;
  approver: { id?: string; type: string; name?: string };
  result: 'approved' | 'rejected';
  reason?: string;
  approvedAt: string;
  by: { kind: ApprovedByKind; id?: string };
  onBehalfOf?: string;
  signature?: WebAuthnSignature;
}

/** What content and disclosures say about an event and its approvals. */
export interface DisclosedParts {
  event: ShownEvent;
  approvals: ShownApproval[];
  withheld: Withheld[];
  /** The disclosure of each approval's signature, if shown. */
  signatures: (string | undefined)[];
  /** The disclosure of `action.input`, if shown. */
  inputDisclosure: string | undefined;
  /** The undisclosed digests of `action`. */
  actionWithheld: string[];
}

export interface DisclosedDecision extends DisclosedParts {
  /** As it was sealed. */
  content: SealedDecision;
  policy: SealedPolicy;
}

/** The journal's record of a decision that was not approved. */
export interface SealedRejection {
  kind: 'rejected';
  eventId: string;
  eventDigest: string;
  event: SealedEvent;
  approval: SealedApproval;
}

export interface DisclosedRejection extends DisclosedParts {
  content: SealedRejection;
}

/** The content of a decision, before disclosure. Throws a Refutation for anything else. */
function readDecision(content: string): SealedDecision {
  return readContent(content, 'the sealed content', 'decision', decisionForm) as unknown as SealedDecision;
}

/** The disclosed content of a decision. Throws a Refutation if content and disclosures do not match. */
export function disclose(content: string, disclosed: readonly string[]): DisclosedDecision {
  const sealed = readDecision(content);
  const parts = discloseParts(sealed.event, sealed.approvals, new DisclosureSet(disclosed));
  return { ...parts, content: sealed, policy: sealed.policy };
}

/** The same for the journal's record of a rejection. */
export function discloseRejection(content: string, disclosed: readonly string[]): DisclosedRejection {
  const sealed = readContent(
    content,
    'the sealed content',
    'rejection',
    rejectionForm,
  ) as unknown as SealedRejection;
  if (sealed.eventId !== sealed.event.id || sealed.eventDigest !== eventDigest(sealed.event))
    throw new Refutation('the rejection is of another event');
  return { ...discloseParts(sealed.event, [sealed.approval], new DisclosureSet(disclosed)), content: sealed };
}

function discloseParts(
  event: SealedEvent,
  sealedApprovals: readonly SealedApproval[],
  disclosures: DisclosureSet,
): DisclosedParts {
  const ofEvent = open(event, EVENT_MEMBERS, '', disclosures);
  const ofActor = open(event.actor, ACTOR_MEMBERS, 'actor.', disclosures);
  const ofAction = open(event.action, ACTION_MEMBERS, 'action.', disclosures);
  const ofAi = event.aiContext && open(event.aiContext, AI_MEMBERS, 'aiContext.', disclosures);
  const approvals = sealedApprovals.map((approval) => ({
    approval,
    own: open(approval, approvalMembers(approval), 'approvals.', disclosures),
    ofApprover: open(approval.approver, APPROVER_MEMBERS, 'approvals.approver.', disclosures),
    ofBy: open(approval.by, byMembers(approval.by.kind), 'approvals.by.', disclosures),
  }));
  disclosures.requireAllUsed();
  const shownEvent = {
    id: event.id,
    type: event.type,
    actor: { type: event.actor.type, ...ofActor.shown },
    action: { type: event.action.type, ...ofAction.shown },
    ...(ofAi && { aiContext: ofAi.shown }),
    occurredAt: event.occurredAt,
    ...ofEvent.shown,
  } as ShownEvent;
  return {
    event: shownEvent,
    approvals: approvals.map(
      ({ approval, own, ofApprover, ofBy }) =>
        ({
          id: approval.id,
          approver: { type: approval.approver.type, ...ofApprover.shown },
          result: approval.result,
          approvedAt: approval.approvedAt,
          by: { kind: approval.by.kind, ...ofBy.shown },
          ...seatingOf(approval),
          ...own.shown,
        }) as ShownApproval,
    ),
    withheld: [
      ofEvent,
      ofActor,
      ofAction,
      ...(ofAi ? [ofAi] : []),
      ...approvals.flatMap(({ own, ofApprover, ofBy }) => [own, ofApprover, ofBy]),
    ]
      .map(({ withheld }) => withheld)
      .filter(({ count }) => count > 0),
    signatures: approvals.map(({ own }) => own.texts['signature']),
    inputDisclosure: ofAction.texts['input'],
    actionWithheld: ofAction.closed,
  };
}

function seatingOf({ seat, alsoSeats, delegation, escalation }: Seating): Seating {
  return {
    ...(seat && { seat }),
    ...(alsoSeats && { alsoSeats }),
    ...(delegation && { delegation }),
    ...(escalation && { escalation }),
  };
}
