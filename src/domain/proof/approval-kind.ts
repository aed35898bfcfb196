import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { WebAuthnSignature } from '../../proof-kit/sealed-decision.ts';
import type { AuditDraft, AuditInput } from '../audit/entry.ts';
import type { EventDraft } from '../events/types.ts';
import type { Place } from '../ledger/chains.ts';
import { type Admission, HELD, type SealKind } from '../ledger/sealer/kinds.ts';
import { type ApprovalChange, approvalsStatement, lockDecisions } from './approval-rows.ts';
import { type ApprovalContent, type Salts, sealNewApproval, sealPreparedApproval } from './content.ts';
import { checkNotExpired, evaluateApproval, type OpenDecision } from './evaluate-approval.ts';
import type { AddApprovalInput } from './input.ts';
import { saidEntry } from './journal-entries.ts';

export interface ApprovalRequest extends AddApprovalInput {
  centerId: number;
  eventId: string;
  /** How the approver is known. */
  by: ApprovalContent['by'];
  /** The host of this service, as sealed content names it. */
  service: string;
  /** Set where the service itself speaks: it seals what the policy lets pass, or rejects what nobody may approve any more. */
  autonomous?: 'seals' | 'rejects';
  /** What a passkey has signed: the id and salts that were prepared for it. */
  prepared?: { id: string; salts: Salts; signature: WebAuthnSignature };
  /** Makes an audit entry in the name of the caller. */
  audit: (input: AuditInput) => AuditDraft;
}

const notFound = () => new DomainError('NOT_FOUND', 'There is no such decision event.');

/**
 * Approvals of decisions: evidence is collected, the policies in force are matched, their guards checked, and what
 * passes goes on the proof chain; the rest goes on the journal. The rows of the events are locked meanwhile, so of many
 * approvals of one event exactly one seals it.
 */
export const decisionApproval: SealKind<ApprovalRequest, ApprovalChange> = {
  name: 'decision approval',
  grows: ['proof', 'audit'],
  async admit(client, requests, { at, wait }) {
    const ids = [...new Set(requests.map(({ eventId }) => eventId))].sort();
    const centers = [...new Set(requests.map(({ centerId }) => centerId))];
    const { decisions, held } = await lockDecisions(client, ids, centers, wait);
    return requests.map((request) => {
      if (held.has(request.eventId)) return HELD;
      const decision = decisions.get(request.eventId);
      if (decision?.row.center_id !== request.centerId) return notFound();
      try {
        return admit(decision, request, at);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  },
  writes: (done) =>
    approvalsStatement(
      done.map(({ result, journalIndexes: [journalIndex = null] }) => ({ ...result, journalIndex })),
    ),
};

/** Brings the decision forward in memory too, because the same batch may hold further requests for it. */
function admit(decision: OpenDecision, request: ApprovalRequest, at: Date): Admission<ApprovalChange> {
  const { approver, result, reason, by, autonomous, prepared, service } = request;
  const { row } = decision;
  const approvedAt = momentOf(decision, at);
  const approval: ApprovalContent = {
    id: prepared?.id ?? newId('apr', at.getTime()),
    approver,
    result,
    ...(reason !== undefined && { reason }),
    by,
    ...(prepared && { signature: prepared.signature }),
    approvedAt: approvedAt.toISOString(),
  };
  if (autonomous !== 'rejects') checkNotExpired(decision, at);
  if (autonomous === 'seals' && row.awaits_approval) {
    throw new DomainError('CONFLICT', 'This decision waits for a person.');
  }
  const { sealed, salts } = prepared
    ? sealPreparedApproval(approval, prepared.salts)
    : sealNewApproval(approval);
  const effect = evaluateApproval(service, decision, { approval, sealed });
  if (autonomous === 'seals' && effect.status !== 'sealed') {
    throw new DomainError('POLICY_VIOLATION', 'The policy asks for a second approver.', {
      details: { rule: 'dual_approval' },
    });
  }
  const contentHash = row.content_hash;
  const change = { event: row, approval, salts, contentHash, from: row.status, to: effect.status };
  row.status = effect.status;
  if (effect.status !== 'sealed') {
    const entry = saidEntry(effect.status, row.id, contentHash, sealed);
    decision.approvals.push({
      approval,
      salts,
      erased: null,
      content_hash: contentHash,
      said: JSON.stringify(entry),
    });
    return { content: null, result: change, journal: () => [entry], notBefore: approvedAt };
  }
  return {
    domain: 'proof',
    content: effect.content,
    notBefore: approvedAt,
    dpu: {
      id: row.dpu_id,
      evidenceLevel: 'AUDIT_READY',
      aiGenerated: row.actor_type === 'ai_agent',
      referenceType: 'decision-event',
      referenceId: row.id,
      actorId: approver.id,
      tags: row.tags,
      metadata: { eventId: row.id, decisionId: row.decision_id, evidenceId: row.evidence_id },
    },
    result: change,
    events: (at) => completion(decision, at, autonomous === 'seals'),
    audit: (at) => [
      request.audit({
        type: 'decision.sealed',
        target: row.id,
        detail: {
          approvals: [...decision.approvals.map((each) => each.approval.id), approval.id],
          chainHash: at.hash,
          chainIndex: at.index,
          dpuId: row.dpu_id,
          policy: effect.judgement.policy.id,
        },
      }),
    ],
  };
}

/** Not before the decision or an earlier approval, and the record not before it: the clocks of several processes differ. */
function momentOf({ event, approvals }: OpenDecision, at: Date): Date {
  const before = approvals.at(-1)?.approval.approvedAt ?? event.occurredAt;
  return new Date(Math.max(at.getTime(), Date.parse(before)));
}

/** An agent's decision is told as completed once it is sealed, on its own or after approval. */
function completion({ row }: OpenDecision, place: Place, autonomous: boolean): EventDraft[] {
  if (row.source !== 'AGENT') return [];
  return [
    {
      centerId: row.center_id,
      type: 'agent.decision.completed',
      data: {
        decisionId: row.decision_id,
        eventId: row.id,
        agentId: row.actor_id,
        actionType: row.action_type,
        riskScore: row.risk_score,
        autonomous,
        dpuId: row.dpu_id,
        chainHash: place.hash,
      },
    },
  ];
}
