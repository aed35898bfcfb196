import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { AuditDraft, AuditInput } from '../audit/entry.ts';
import type { EventDraft } from '../events/types.ts';
import type { Admission, Place, SealKind } from '../ledger/seal-kind.ts';
import type { Policy } from '../policies/effective.ts';
import { policiesInForce } from '../policies/in-force.ts';
import { type ApprovalMove, lockDecisions, writeApprovals } from './approval-rows.ts';
import type { ApprovalContent } from './content.ts';
import type { AddApprovalInput } from './input.ts';
import { type OpenDecision, weigh } from './weigh.ts';

export interface ApprovalRequest extends AddApprovalInput {
  centerId: number;
  eventId: string;
  /** The service itself approves, because the policy lets the decision pass without a person. */
  autonomous?: boolean;
  /** Makes an audit entry in the name of the caller. */
  audit: (input: AuditInput) => AuditDraft;
}

const notFound = () => new DomainError('NOT_FOUND', 'There is no such decision event.');

/**
 * Approvals of decisions: evidence is collected, the policies in force are matched, their guards checked, and what
 * passes goes on the proof chain. The rows of the events are locked meanwhile, so of many approvals of one event
 * exactly one seals it.
 */
export const decisionApproval: SealKind<ApprovalRequest, ApprovalMove> = {
  name: 'decision approval',
  async admit(client, requests, at) {
    const { centerId } = requests[0]!;
    const ids = [...new Set(requests.map(({ eventId }) => eventId))].sort();
    const decisions = await lockDecisions(client, centerId, ids);
    const policies = await policiesInForce(client, centerId);
    return requests.map((request) => {
      const decision = decisions.get(request.eventId);
      if (!decision) return notFound();
      try {
        return admit(policies, decision, request, at);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  },
  finish: (client, finished) =>
    writeApprovals(
      client,
      finished.map(({ result }) => result),
    ),
};

/** Brings the decision forward in memory too, because the same batch may hold further requests for it. */
function admit(
  policies: Policy[],
  decision: OpenDecision,
  request: ApprovalRequest,
  at: Date,
): Admission<ApprovalMove> {
  const { approver, result, reason, autonomous } = request;
  const { row } = decision;
  const approval: ApprovalContent = {
    id: newId('apr', at.getTime()),
    approver,
    result,
    ...(reason !== undefined && { reason }),
    approvedAt: at.toISOString(),
  };
  if (autonomous && row.awaits_approval) {
    throw new DomainError('CONFLICT', 'This decision waits for a person.');
  }
  const weighed = weigh(policies, decision, approval);
  if (autonomous && weighed.status !== 'sealed') {
    throw new DomainError('POLICY_VIOLATION', 'The policy asks for a second approver.', {
      details: { rule: 'dual_approval' },
    });
  }
  const contentHash = row.content_hash;
  const move: ApprovalMove = { event: row, approval, contentHash, from: row.status, to: weighed.status };
  decision.approvals.push({ approval, contentHash });
  row.status = weighed.status;
  if (weighed.status !== 'sealed') return { content: null, result: move };
  return {
    content: weighed.content,
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
    result: move,
    events: (place) => completion(decision, place, autonomous ?? false),
    audit: (place) => [
      request.audit({
        type: 'decision.sealed',
        target: row.id,
        detail: {
          dpuId: row.dpu_id,
          chainIndex: place.index,
          chainHash: place.hash,
          approvers: decision.approvals.map((each) => each.approval.approver.id),
          policy: weighed.judgement.policy.id,
        },
      }),
    ],
  };
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
