/**
 * The facts that a proof document states, for the card of its decision. Every one of them comes from a sealed record of the
 * document, so the card shows only what a verifier checks. Whether the document is genuine is the verdict's matter.
 */
import type { CardApproval, CardFacts, CardParty, CardSeat } from './card-facts.ts';
import { accountParty } from './card-parts.ts';
import type { ApprovedByKind, SealedGuard } from './decision.ts';
import {
  type DisclosedParts,
  disclose,
  discloseRejection,
  type ShownApproval,
  type ShownEvent,
} from './disclose.ts';
import { isObject, type Members } from './form.ts';
import { discloseOutcome } from './outcome.ts';
import {
  type AttachedRecord,
  isDecisionProofEvidence,
  isRejectionProofEvidence,
  type ProofDocument,
} from './proof-document.ts';
import { approvalFacts, countSeats, parseQuorums } from './quorum.ts';
import { parseStrictJson } from './strict-json.ts';
import { withoutErased } from './verify-record.ts';

/** Null for a platform record, which is no decision. Throws a Refutation if content and disclosures do not match. */
export function proofCardFacts(document: ProofDocument): CardFacts | null {
  const { evidence, record, disclosures = [] } = document;
  if (isRejectionProofEvidence(evidence)) {
    const parts = discloseRejection(record.content ?? '', disclosures);
    return { ...sharedFacts(document, parts), status: 'rejected', guards: [], seats: [] };
  }
  if (!isDecisionProofEvidence(evidence)) return null;
  const decision = disclose(record.content ?? '', disclosures);
  const { mandate } = decision.content;
  return {
    ...sharedFacts(document, decision),
    status: 'sealed',
    guards: decision.policy.guards.map((guard) => ({ ...guard, policyName: policyName(document, guard) })),
    seats: seatsIn(document, decision),
    ...(mandate && { mandate: { id: mandate.id, use: mandate.use, spent: mandate.spent } }),
  };
}

function sharedFacts(document: ProofDocument, parts: DisclosedParts) {
  const { event, approvals } = parts;
  const { reported, withheld: ofOutcome } = outcomeIn(document);
  const erased = document.erased ?? [];
  const gaps = withoutErased(parts.withheld, erased);
  const isErased = (path: string) => erased.some((each) => each.path === path);
  const withheld = [...gaps.flatMap(({ certain }) => certain), ...ofOutcome].filter(
    (path) => !isErased(path),
  );
  const unclear = gaps.flatMap(({ possible, count, certain }) => (count > certain.length ? possible : []));
  return {
    ...eventFacts(event),
    approvals: approvals.map((approval) => approvalOf(approval)),
    ...(reported && { outcome: reported }),
    isCopy: true,
    withheld: [...new Set(withheld)],
    unclear: [...new Set(unclear)].filter((path) => !withheld.includes(path)),
    erased: erased.map(({ path, at, reason }) => ({ path, at, reason: reason ?? undefined })),
    names: groupNames(document),
  };
}

function eventFacts({ type, actor, action, aiContext, occurredAt, riskScore, tags }: ShownEvent) {
  return {
    type,
    actor: partyOf(actor),
    action,
    occurredAt,
    riskScore,
    tags,
    confidence: aiContext?.confidence,
    reasoning: aiContext?.reasoning,
    model: aiContext?.model,
    provider: aiContext?.provider,
  };
}

const partyOf = ({ type, id, name }: CardParty): CardParty => ({ type, id, name });

function approvalOf(approval: ShownApproval): CardApproval {
  const { approver, result, by, reason, approvedAt, onBehalfOf, delegation, escalation } = approval;
  return {
    approver: partyOf(approver),
    result,
    by: {
      kind: by.kind,
      ...(by.via && { via: by.via }),
      ...(by.identity && { identity: { issuer: by.identity.issuer } }),
    },
    reason,
    approvedAt,
    ...(delegation && { onBehalfOf: { type: 'human', id: onBehalfOf } }),
    ...(escalation && { isEscalated: true }),
  };
}

/** The seats that the sealed text of the quorum names, counted again from the sealed approvals. */
function seatsIn(
  document: ProofDocument,
  { event, approvals, policy }: ReturnType<typeof disclose>,
): CardSeat[] {
  const detail = policy.guards.find(({ guard }) => guard === 'quorum')?.detail ?? '';
  const quorums = parseQuorums(detail.replace(/: [a-z ]+$/, '')) ?? [];
  const facts = { occurredAt: event.occurredAt, approvals: approvals.map(approvalFacts) };
  const names = groupNames(document);
  return countSeats(quorums, facts).map(({ group, count, authentication, filledBy, isOpen }) => ({
    group,
    groupName: group === null ? undefined : names[group],
    count,
    authentication,
    filledBy,
    open: isOpen,
  }));
}

function outcomeIn({ outcome }: ProofDocument): { reported?: CardFacts['outcome']; withheld: string[] } {
  if (!outcome) return { withheld: [] };
  const { content, by, output, withheld } = discloseOutcome(outcome.record.content, outcome.disclosures);
  const reporter = by && accountParty(by.kind as ApprovedByKind, by.id);
  return {
    reported: { status: content.status, recordedAt: outcome.record.timestamp, by: reporter, output },
    withheld,
  };
}

/** The name that the attached version had when it was in force. */
function policyName({ policies = [] }: ProofDocument, { policy, version }: SealedGuard): string | undefined {
  if (policy === undefined) return undefined;
  const record = policies
    .map(contentOf)
    .find((each) => each['policyId'] === policy && each['version'] === version);
  return textIn(record, 'name');
}

function groupNames({ groups = [] }: ProofDocument): Record<string, string> {
  const named = groups.map(contentOf).flatMap((record): [string, string][] => {
    const [id, name] = [textIn(record, 'id'), textIn(record, 'name')];
    return id === undefined || name === undefined ? [] : [[id, name]];
  });
  return Object.fromEntries(named);
}

/** A record without a place in the log proves nothing, so nothing of it is shown. */
function contentOf({ record, inclusion }: Pick<AttachedRecord, 'record' | 'inclusion'>): Members {
  if (!inclusion) return {};
  const content = parseStrictJson(record.content);
  return isObject(content) ? content : {};
}

function textIn(record: Members | undefined, name: string): string | undefined {
  const value = record?.[name];
  return typeof value === 'string' ? value : undefined;
}
