// The pure part of sealing: how an approval changes a decision.

import { normalId } from '@countersign/proof-kit/approver-id';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { decidingChains } from '@countersign/proof-kit/considered';
import {
  APPROVAL,
  EVENT,
  type JournalSize,
  type SealedApproval,
  type SealedDecision,
  type SealedEvent,
  type SealedPolicy,
} from '@countersign/proof-kit/decision';
import { identityKey } from '@countersign/proof-kit/decision-rules';
import type { SealedRejection } from '@countersign/proof-kit/disclose';
import type { Policy } from '@countersign/proof-kit/effective-policy';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import { approvalFacts } from '@countersign/proof-kit/quorum';
import { approvalFault, decisionFault, rejectionFault } from '@countersign/proof-kit/sealable';
import { DomainError, validationError } from '../../../lib/errors.ts';
import { objectOf, parseJson } from '../../../lib/json.ts';
import type { EvidenceLevel } from '../../ledger/chains/levels.ts';
import {
  evaluate,
  type PolicyEvaluation,
  policyViolation,
  selfApprovalViolation,
} from '../../policies/evaluate.ts';
import type { GovernedCenter } from '../../policies/in-force.ts';
import { approvedOutcome } from '../../policies/unattended.ts';
import {
  type ApprovalContent,
  digestOf,
  type Erased,
  type EventContent,
  reseal,
  type Salts,
} from '../content.ts';
import type { MandateUse } from '../mandates/use.ts';
import type { OwnEventRow } from '../row.ts';

/** A decision with its approvals so far. */
export interface OpenDecision {
  row: OwnEventRow & { recorded: string | null };
  event: EventContent;
  center: GovernedCenter;
  approvals: BoundApproval[];
}

/** A stored approval with its journal entry. */
export interface BoundApproval {
  approval: ApprovalContent;
  salts: Salts;
  erased: Erased | null;
  content_hash: string;
  journalContent: string | null;
}

interface NewApproval {
  approval: ApprovalContent;
  sealed: SealedApproval;
  /** The use of the mandate that approves. */
  mandate?: Pick<MandateUse, 'sealed' | 'terms'> | undefined;
}

export type ApprovalEffect =
  | { status: 'sealed'; content: SealedDecision; evaluation: PolicyEvaluation }
  | { status: 'approved' }
  | { status: 'rejected'; event: SealedEvent };

const changed = () =>
  new DomainError('CHAIN_BROKEN', 'The decision event differs from what was recorded and approved.');

/** Throws if the decision is final, or if this approver may not decide on it. */
export function checkOpen({ row, approvals }: OpenDecision, newest: ApprovalContent): void {
  if (row.status === 'sealed') throw new DomainError('CONFLICT', 'The decision event is already sealed.');
  if (row.status === 'rejected') {
    throw new DomainError('CONFLICT', 'The decision event was rejected, which is final.');
  }
  const own = normalId(newest.approver.id);
  if (newest.result === 'rejected') return;
  if (approvals.some(({ approval }) => normalId(approval.approver.id) === own)) {
    throw new DomainError('CONFLICT', 'This approver has already approved the decision event.');
  }
  const key = newest.signature?.publicKey;
  if (key !== undefined && approvals.some(({ approval }) => approval.signature?.publicKey === key)) {
    throw new DomainError('CONFLICT', 'This passkey has already approved the decision event.');
  }
  const identity = identityKey(newest);
  if (identity !== undefined && approvals.some(({ approval }) => identityKey(approval) === identity)) {
    throw new DomainError('CONFLICT', 'This company account has already approved the decision event.');
  }
}

/** An expired decision is closed even before its rejection is written. */
export function checkNotExpired({ row }: OpenDecision, at: Date): void {
  if (row.expires_at !== null && row.expires_at <= at) {
    throw new DomainError('CONFLICT', 'The decision event has expired: it was not approved in time.');
  }
}

/** An approval applies only to the content that was recorded, according to the journal. */
function sealedAsRecorded({ row, approvals }: OpenDecision): SealedEvent {
  const { sealed } = reseal(EVENT, row);
  const { eventDigest, expiresAt = null } = journalled(row.recorded);
  const digest = digestOf(sealed);
  const bound = [eventDigest, row.content_hash, ...approvals.map((approval) => approval.content_hash)];
  if (bound.some((hash) => hash !== digest)) throw changed();
  if ((row.expires_at?.toISOString() ?? null) !== expiresAt) throw changed();
  return sealed;
}

/** The journal entry at a position; empty if the record is missing or is not a journal entry. */
const journalled = (content: string | null) => objectOf(parseJson(content ?? ''));

function resealAsJournalled(approval: BoundApproval): SealedApproval {
  const { sealed } = reseal(APPROVAL, { ...approval, content: approval.approval });
  if (canonicalJson(journalled(approval.journalContent)['approval'] ?? null) !== canonicalJson(sealed))
    throw changed();
  return sealed;
}

/** The parts of a decision that policies evaluate. */
export function evaluateDecision(
  policies: readonly Policy[],
  event: EventContent,
  approvals: ApprovalContent[],
  underMandate = false,
): PolicyEvaluation {
  return evaluate(policies, {
    ...decisionFacts(event),
    evidenceLevel: levelOfEvidence(event, approvals),
    approvals: approvals.map(approvalFacts),
    underMandate,
    grantsMandate: isMandateGrant(event.type, event.action.type),
  });
}

export const decisionFacts = (event: EventContent) => ({
  actionType: event.action.type,
  eventType: event.type,
  actorId: event.actor.id,
  actorType: event.actor.type,
  hasAiContext: event.aiContext !== undefined,
  riskScore: event.riskScore ?? null,
  occurredAt: event.occurredAt,
});

/** How the newest approval changes the decision. */
export function evaluateApproval(
  service: string,
  decision: OpenDecision,
  newest: NewApproval,
): ApprovalEffect {
  checkOpen(decision, newest.approval);
  const event = sealedAsRecorded(decision);
  if (newest.approval.result === 'rejected') {
    refuseFaulty(rejectionFault(sealedRejection(event, newest.sealed), { ...decision, ...newest }));
    return { status: 'rejected', event };
  }
  const approvals = [...decision.approvals.map(({ approval }) => approval), newest.approval];
  const { mandate } = newest;
  const evaluation = evaluateDecision(
    decision.center.policies,
    decision.event,
    approvals,
    mandate !== undefined,
  );
  const outcome = approvedOutcome(evaluation);
  if (evaluation.selfApproval) throw selfApprovalViolation(evaluation);
  if (evaluation.verdict === 'fail') throw policyViolation(evaluation);
  if (outcome === 'sealed') {
    const { id, domain } = decision.center;
    const sealed = [...decision.approvals.map(resealAsJournalled), newest.sealed];
    const policy = { ...sealedPolicy(evaluation), journals: journalsOf(service, decision.center, sealed) };
    const content: SealedDecision = {
      kind: 'decision',
      service,
      center: { id, domain },
      event,
      approvals: sealed,
      policy,
      ...(mandate && { mandate: mandate.sealed }),
      _sd_alg: 'sha-256',
    };
    refuseFaulty(
      decisionFault(
        { content, event: decision.event, approvals },
        {
          policies: decision.center.policies,
          sealedAt: newest.approval.approvedAt,
          terms: mandate?.terms,
        },
      ),
    );
    return { status: 'sealed', content, evaluation };
  }
  refuseFaulty(approvalFault(newest.approval));
  if (outcome === 'awaiting_approval') return { status: 'approved' };
  const open = evaluation.policy.guards.filter(({ verdict }) => verdict === 'pending');
  throw policyViolation({ policy: { ...evaluation.policy, guards: asFailures(open) } });
}

/** Do not seal what every verifier would reject. */
function refuseFaulty(fault: string | null): void {
  if (fault !== null) throw validationError([{ path: 'approval', message: `cannot be proven: ${fault}` }]);
}

/** The rejection in its journal form. Its author is added there. */
function sealedRejection(event: SealedEvent, approval: SealedApproval): SealedRejection {
  const eventDigest = digestOf(event);
  return { kind: 'rejected', eventId: event.id, eventDigest, event, approval };
}

const asFailures = (guards: PolicyEvaluation['policy']['guards']) =>
  guards.map((guard) => ({ ...guard, verdict: 'fail' as const }));

/** The chains that decide, with the sizes at which they were read. */
function journalsOf(
  service: string,
  center: GovernedCenter,
  approvals: readonly SealedApproval[],
): JournalSize[] {
  const { own, platform, passkeys } = decidingChains({ service, center, approvals: [...approvals] });
  const { sizes } = center;
  return [
    { origin: own, size: sizes.own },
    { origin: platform, size: sizes.platform },
    ...(passkeys === null ? [] : [{ origin: passkeys, size: sizes.passkeys }]),
  ].sort((a, b) => (a.origin < b.origin ? -1 : 1));
}

function sealedPolicy({ policy, considered }: PolicyEvaluation): SealedPolicy {
  const guards = policy.guards.map(({ guard, verdict, detail, policy: setBy, version }) =>
    setBy === null || version === null
      ? { detail, guard, verdict }
      : { detail, guard, policy: setBy, verdict, version },
  );
  return { considered, guards, id: policy.id, version: policy.version };
}

/** The evidence level that a decision and its approvals reach. AUDIT_READY requires a reason. */
function levelOfEvidence(event: EventContent, approvals: ApprovalContent[]): EvidenceLevel {
  const { action, aiContext } = event;
  const reasons = [aiContext?.reasoning, action.description, ...approvals.map(({ reason }) => reason)];
  const hasReason = reasons.some((reason) => reason !== undefined && reason.trim() !== '');
  return hasReason ? 'AUDIT_READY' : 'DOCUMENTED';
}
