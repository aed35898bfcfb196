/** Reads a sealed decision or rejection with its disclosures. */
import {
  APPROVAL,
  decisionForm,
  EVENT,
  type PlainApproval,
  type PlainEvent,
  rejectionForm,
  type SealedApproval,
  type SealedDecision,
  type SealedEvent,
  type SealedPolicy,
} from './decision.ts';
import type { Accepted } from './form.ts';
import { DisclosureSet, openTree, Refutation, readContent, type Withheld } from './sealed-content.ts';
import { eventDigest } from './sealed-decision.ts';

/** An event with its disclosed members. */
export type ShownEvent = Shown<PlainEvent, 'decisionId'> & { actor: Shown<PlainEvent['actor'], 'id'> };
export type ShownApproval = PlainApproval & { approver: Shown<PlainApproval['approver'], 'id'> };
/** With members that are always sealed, but may be withheld. */
type Shown<T, Withholdable extends keyof T> = Omit<T, Withholdable> & Partial<Pick<T, Withholdable>>;

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

/** The journal's record of a decision that was not approved, without its author. */
export type SealedRejection = Omit<Accepted<typeof rejectionForm>, 'by' | '_sd_alg'>;

export interface DisclosedRejection extends DisclosedParts {
  content: SealedRejection;
}

/** The disclosed content of a decision. Throws a Refutation if content and disclosures do not match. */
export function disclose(content: string, disclosed: readonly string[]): DisclosedDecision {
  const sealed = readContent(content, 'the sealed content', 'decision', decisionForm);
  const parts = discloseParts(sealed.event, sealed.approvals, new DisclosureSet(disclosed));
  return { ...parts, content: sealed, policy: sealed.policy };
}

/** The same for the journal's record of a rejection. */
export function discloseRejection(content: string, disclosed: readonly string[]): DisclosedRejection {
  const sealed = readContent(content, 'the sealed content', 'rejection', rejectionForm);
  if (sealed.eventId !== sealed.event.id || sealed.eventDigest !== eventDigest(sealed.event))
    throw new Refutation('the rejection is of another event');
  return { ...discloseParts(sealed.event, [sealed.approval], new DisclosureSet(disclosed)), content: sealed };
}

function discloseParts(
  event: SealedEvent,
  sealedApprovals: readonly SealedApproval[],
  disclosures: DisclosureSet,
): DisclosedParts {
  const ofEvent = openTree(EVENT, event, disclosures);
  const ofApprovals = sealedApprovals.map((approval) => openTree(APPROVAL, approval, disclosures));
  disclosures.requireAllUsed();
  return {
    event: ofEvent.shown,
    approvals: ofApprovals.map(({ shown }) => shown),
    withheld: [ofEvent, ...ofApprovals].flatMap(({ withheld }) => withheld),
    signatures: ofApprovals.map(({ texts }) => texts['approvals.signature']),
    inputDisclosure: ofEvent.texts['action.input'],
    actionWithheld: ofEvent.closed['action.']!,
  };
}
