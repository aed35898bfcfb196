import {
  APPROVAL,
  type SealedApproval,
  type SealedDecision,
  type WebAuthnSignature,
} from '@countersign/proof-kit/decision';
import { MOST_MS_TO_SEAL } from '@countersign/proof-kit/decision-rules';
import { decisionContent } from '@countersign/proof-kit/sealed-decision';
import type { PoolClient } from '../../../db/database.ts';
import { DomainError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { AuditDraft, AuditInput } from '../../audit/entry.ts';
import { authorsStatement, type JournalContent, newAuthor } from '../../ledger/chains/journal.ts';
import { type Admission, type Draft, LOCKED, type SealKind } from '../../ledger/sealer/kinds.ts';
import { lockPolicies } from '../../ledger/sealer/policy-order.ts';
import { SealUnavailable } from '../../ledger/sealer/transaction.ts';
import {
  type ApprovalRights,
  approvalRightsOf,
  type SeatPerson,
  seatPeopleOf,
} from '../../memberships/approval-rights.ts';
import type { CurrentSeatRecords } from '../../memberships/seat-records.ts';
import { type LockedPasskey, lockPasskeys, passkeysUsed } from '../../passkeys/manage-passkeys.ts';
import { mandateGrantViolation, mayApprove } from '../../policies/mandate-grant.ts';
import type { Seated } from '../../policies/seating.ts';
import type { Author } from '../../principal.ts';
import { type ApprovalContent, type Salts, sealNew } from '../content.ts';
import type { AddApprovalInput } from '../input.ts';
import { approvedEntry, rejectedEntry } from '../journal-entries.ts';
import {
  type CoveringMandate,
  type LockedMandate,
  lockMandates,
  type MandateUse,
  useMandate,
  usesStatement,
} from '../mandates/use.ts';
import { eventNotFound } from '../row.ts';
import { completion, rejection } from './agent-events.ts';
import { type ApprovalChange, approvalsStatement, lockDecisions } from './approval-rows.ts';
import {
  type ApprovalEffect,
  checkNotExpired,
  checkOpen,
  evaluateApproval,
  type OpenDecision,
} from './evaluate-approval.ts';
import { choosesSeat, quorumsFor, seatApproval } from './seat-approval.ts';
import { requireSeatPeople, seatRecordsFor } from './seat-people.ts';

export interface ApprovalRequest extends AddApprovalInput {
  centerId: number;
  eventId: string;
  /** How the approver was authenticated. */
  by: ApprovalContent['by'];
  /** The approver, or, if the service rejects the decision, the caller whose request caused it. */
  author: Author;
  /** The host of this service, as named in sealed content. */
  service: string;
  /** Set if the service itself acts: it seals what the policy allows, or rejects what can no longer be approved. */
  autonomous?: 'seals' | 'rejects';
  /** The approving mandate, and what the call deducts from its budget. */
  mandate?: CoveringMandate;
  /** The id and salts that were prepared for the passkey signature. */
  prepared?: {
    id: string;
    salts: Salts;
    signature: WebAuthnSignature;
    seated: Seated;
  };
  /** The membership through which the approver fills seats; null if the approver is not a member. */
  membershipId: string | null;
  /** Whether the caller may approve without filling a seat of a group. */
  isAdmin: boolean;
  /** Creates an audit entry in the caller's name. */
  audit: (input: AuditInput) => AuditDraft;
}

/**
 * Approvals of decisions. Evidence is collected and the guards of the policies in force are checked. Sealed decisions go on
 * the proof chain, other results on the journal. The events' rows stay locked, so of concurrent approvals of one event exactly
 * one seals it.
 */
export const decisionApproval: SealKind<ApprovalRequest, ApprovalChange> = {
  name: 'decision approval',
  grows: ['proof', 'audit', 'journal'],
  async admit(client, requests, { at, wait }) {
    const ids = [...new Set(requests.map(({ eventId }) => eventId))].sort();
    const centers = [...new Set(requests.map(({ centerId }) => centerId))];
    // Pipelined. The policies are locked first, so those that are read stay in force until the commit.
    const [governed, { decisions, held }] = await Promise.all([
      lockPolicies(client, centers, wait),
      lockDecisions(client, ids, centers, wait),
    ]);
    const signing = requests.flatMap(({ prepared }) => prepared?.signature.credentialId ?? []);
    const passkeys = await lockPasskeys(client, signing, wait);
    const rightsById = await rightsFor(client, requests, decisions, at);
    const people = await peopleFor(client, requests, { decisions, rightsById }, at);
    const seatRecords = await seatRecordsFor(client, decisions.values(), rightsById.values());
    const mandates = await lockMandates(
      client,
      requests.flatMap(({ mandate }) => mandate?.id ?? []),
      wait,
    );
    return requests.map((request) => {
      const isHeld = held.has(request.eventId);
      if (isHeld && wait) return new SealUnavailable(new Error('the batch has too much content'));
      if (isHeld || !governed.has(request.centerId)) return LOCKED;
      const mandate = request.mandate ? mandates.get(request.mandate.id) : undefined;
      if (request.mandate && !mandate && !wait) return LOCKED;
      const decision = decisions.get(request.eventId);
      if (decision?.row.center_id !== request.centerId) return eventNotFound();
      try {
        const rights = rightsById.get(request.membershipId ?? '') ?? null;
        const credentialId = request.prepared?.signature.credentialId;
        const passkey = credentialId === undefined ? undefined : passkeys.get(credentialId);
        if (credentialId !== undefined && !passkey && !wait) return LOCKED;
        if (credentialId !== undefined && (!passkey || passkey.removedAt)) return passkeyRefused();
        return admit(decision, request, { rights, people, mandate, passkey, seatRecords }, at);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  },
  writes: (done) => {
    const approvals = done.map(({ result, journal: [entry] }) => ({
      ...result,
      journalIndex: entry?.index ?? null,
    }));
    const authors = done.flatMap(({ result: { author, event }, journal: [entry] }) =>
      author && entry ? [{ ...author, ...entry, centerId: event.center_id, entry: 'rejected' as const }] : [],
    );
    const uses = done.flatMap(({ result: { mandate }, place }) =>
      mandate && place ? [{ ...mandate, hash: place.hash }] : [],
    );
    const signed = done.flatMap(({ result: { approval } }) =>
      approval.signature ? [{ credentialId: approval.signature.credentialId, at: approval.approvedAt }] : [],
    );
    return [
      approvalsStatement(approvals),
      ...(authors.length > 0 ? [authorsStatement(authors)] : []),
      ...(uses.length > 0 ? [usesStatement(uses)] : []),
      ...(signed.length > 0 ? [passkeysUsed(signed)] : []),
    ];
  },
};

const passkeyRefused = () => new DomainError('INVALID_CREDENTIALS', 'The passkey was not accepted.');

/** Queried only if a decision has a quorum and a member approves, because most approvals do not depend on groups. */
async function rightsFor(
  client: PoolClient,
  requests: readonly ApprovalRequest[],
  decisions: ReadonlyMap<string, OpenDecision>,
  at: Date,
): Promise<Map<string, ApprovalRights>> {
  const ids = requests.flatMap(({ membershipId, eventId, result }) => {
    const decision = decisions.get(eventId);
    if (membershipId === null || result !== 'approved' || !decision) return [];
    return quorumsFor(decision).length > 0 ? [membershipId] : [];
  });
  return ids.length > 0 ? approvalRightsOf(client, [...new Set(ids)], at) : new Map();
}

/** Queried only if one of the approvers could fill several seats. */
async function peopleFor(
  client: PoolClient,
  requests: readonly ApprovalRequest[],
  {
    decisions,
    rightsById,
  }: { decisions: ReadonlyMap<string, OpenDecision>; rightsById: ReadonlyMap<string, ApprovalRights> },
  at: Date,
): Promise<Map<number, SeatPerson[]>> {
  const choosing = requests.flatMap((request) => {
    const decision = decisions.get(request.eventId);
    const rights = rightsById.get(request.membershipId ?? '');
    if (!decision || !rights) return [];
    const approval = { id: 'apr', ...request, approvedAt: at.toISOString() };
    return choosesSeat(decision, approval, rights, at) ? [decision] : [];
  });
  if (choosing.length === 0) return new Map();
  const centerIds = [...new Set(choosing.map(({ row }) => row.center_id))];
  return seatPeopleOf(client, centerIds, choosing.flatMap(quorumsFor));
}

/** Rows that an approval involves besides the decision. */
interface Involved {
  rights: ApprovalRights | null;
  /** The members who could approve, by center, if an approver could fill several seats. */
  people: ReadonlyMap<number, readonly SeatPerson[]>;
  mandate: LockedMandate | undefined;
  passkey: LockedPasskey | undefined;
  /** Groups and delegations that the approvals may name. */
  seatRecords: CurrentSeatRecords;
}

/** Also updates the decision in memory, because the same batch may contain further requests for it. */
function admit(
  decision: OpenDecision,
  request: ApprovalRequest,
  { rights, people, mandate, passkey, seatRecords }: Involved,
  at: Date,
): Admission<ApprovalChange> {
  const { approver, result, reason, by, autonomous, prepared, service } = request;
  const { row, event } = decision;
  const approvedAt = momentOf(decision, at, { mandate, passkey });
  const unseated: ApprovalContent = {
    id: prepared?.id ?? newId('apr', at.getTime()),
    approver,
    result,
    ...(reason !== undefined && { reason }),
    by,
    ...(prepared && { signature: prepared.signature }),
    ...(passkey && { passkeySince: passkey.registeredAt.toISOString() }),
    approvedAt: approvedAt.toISOString(),
  };
  if (autonomous !== 'rejects') checkNotExpired(decision, at);
  if (autonomous === 'seals' && row.awaits_approval) {
    throw new DomainError('CONFLICT', 'This decision requires a person’s approval.');
  }
  checkOpen(decision, unseated);
  if (result === 'approved' && !mayApprove(event.action.type, by.kind)) throw mandateGrantViolation();
  const use = request.mandate && takeUse(request, mandate, unseated.approvedAt);
  const seated = use
    ? {}
    : seatApproval(decision, unseated, { ...request, rights, people: people.get(row.center_id) }, approvedAt);
  const approval = { ...unseated, ...seated };
  const { sealed, salts } = sealNew(APPROVAL, approval, prepared?.salts);
  const effect = evaluateApproval(service, decision, { approval, sealed, mandate: use });
  if (autonomous === 'seals' && effect.status !== 'sealed') {
    throw new DomainError('POLICY_VIOLATION', 'The policy requires further approvers.', {
      details: { rule: 'dual_approval' },
    });
  }
  const approvals = [...decision.approvals.map((each) => each.approval), approval];
  const seatedSince =
    effect.status === 'sealed' ? requireSeatPeople(approvals, seatRecords, effect.evaluation) : approvedAt;
  const contentHash = row.content_hash;
  const change: ApprovalChange = {
    event: row,
    approval,
    salts,
    contentHash,
    from: row.status,
    to: effect.status,
    ...(use && { mandate: use }),
  };
  if (use) Object.assign(mandate!, use.consumption);
  row.status = effect.status;
  if (effect.status !== 'sealed') {
    const entry = entryOf(effect, change, sealed, request);
    decision.approvals.push({
      approval,
      salts,
      erased: null,
      content_hash: contentHash,
      journalContent: JSON.stringify(entry),
    });
    return {
      content: null,
      result: change,
      journal: () => [entry],
      // A rejection by the service, such as an expiry, follows from what was audited before.
      ...(autonomous !== 'rejects' && { audit: () => [request.audit(approvalEntry(row.id, approval))] }),
      events: () => (effect.status === 'rejected' ? rejection(decision, approval) : []),
      notBefore: approvedAt,
    };
  }
  const draft: Draft<ApprovalChange> = {
    domain: 'proof',
    ...(use ? useContent(effect.content, use, mandate!) : { content: decisionContent(effect.content) }),
    // Nor before the policies it was evaluated against, and the groups of its approvers.
    notBefore: latest(latest(approvedAt, decision.center.governedSince), seatedSince),
    dpu: {
      id: row.dpu_id,
      evidenceLevel: 'AUDIT_READY',
      aiGenerated: event.actor.type === 'ai_agent',
      referenceType: 'decision-event',
      referenceId: row.id,
      actorId: approver.id,
      tags: event.tags ?? [],
      metadata: { eventId: row.id, decisionId: event.decisionId, evidenceId: row.evidence_id },
    },
    result: change,
    events: (at) => completion(decision, at, autonomous === 'seals'),
    audit: (at) => [
      request.audit({
        type: 'decision.sealed',
        target: row.id,
        detail: {
          approvals: approvals.map(({ id }) => id),
          chainHash: at.hash,
          chainIndex: at.index,
          dpuId: row.dpu_id,
          policy: effect.evaluation.policy.id,
        },
      }),
    ],
  };
  return draft;
}

/** A use names the one before it, which may be in the same batch, and is sealed while the mandate is valid. */
function useContent(
  content: SealedDecision,
  { sealed, terms }: MandateUse,
  mandate: LockedMandate,
): Pick<Draft<ApprovalChange>, 'content' | 'linked' | 'notAfter'> {
  const { approvedAt } = content.approvals[0]!;
  return {
    content: () => decisionContent({ ...content, mandate: { ...sealed, previous: mandate.last_use } }),
    linked: ({ hash }) => {
      mandate.last_use = hash;
    },
    notAfter: new Date(Math.min(Date.parse(terms.validUntil), Date.parse(approvedAt) + MOST_MS_TO_SEAL)),
  };
}

/** An approval that seals nothing yet, or a rejection. Its reason is left out, because it can be erased. */
function approvalEntry(
  eventId: string,
  { id, result, seat, alsoSeats = [], onBehalfOf }: ApprovalContent,
): AuditInput {
  const seats = [...(seat ? [seat] : []), ...alsoSeats];
  return {
    type: 'center.updated',
    target: eventId,
    detail: {
      change: `decision ${result}`,
      approval: id,
      ...(result === 'approved' && { seats }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
    },
  };
}

function takeUse(
  { mandate: cover, centerId }: ApprovalRequest,
  mandate: LockedMandate | undefined,
  at: string,
): MandateUse {
  if (mandate?.center_id !== centerId) throw new DomainError('CONFLICT', 'The mandate is not granted.');
  return useMandate(mandate, cover!.amount, at);
}

function entryOf(
  effect: Exclude<ApprovalEffect, { status: 'sealed' }>,
  change: ApprovalChange,
  sealed: SealedApproval,
  { by, author: caller }: ApprovalRequest,
): JournalContent {
  const { event, contentHash } = change;
  if (effect.status === 'approved') return approvedEntry(event.id, contentHash, sealed);
  const { author, by: sealedBy } = newAuthor(event.id, by.kind === 'system' ? caller : accountOf(by));
  change.author = author;
  return rejectedEntry(effect.event, contentHash, sealed, sealedBy);
}

/** Journal entries name the account only; the approval in it says how the account was authenticated. */
const accountOf = ({ kind, id }: ApprovalContent['by']): Author => ({
  kind,
  ...(id !== undefined && { id }),
});

/**
 * The approval's time: not before the decision, an earlier approval, the grant of its mandate (and then the policies, because a
 * record under a mandate follows its approval at once), and after the registration of its passkey. The record cannot precede it
 * either. Needed because the clocks of processes differ.
 */
function momentOf(
  { event, approvals, center }: OpenDecision,
  at: Date,
  { mandate, passkey }: Pick<Involved, 'mandate' | 'passkey'>,
): Date {
  const before = approvals.at(-1)?.approval.approvedAt ?? event.occurredAt;
  const granted = mandate ? Math.max(Date.parse(mandate.granted_at), center.governedSince.getTime()) : 0;
  const registered = passkey ? passkey.registeredAt.getTime() + 1 : 0;
  return new Date(Math.max(at.getTime(), Date.parse(before), granted, registered));
}

const latest = (a: Date, b: Date) => (a > b ? a : b);
