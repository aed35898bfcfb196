import type { SealedDecision } from '@countersign/proof-kit/decision';
import type { ApprovalRow, OwnEventRow } from '../../../row.ts';

/** The columns of a DPU in JSON form. */
export interface DpuColumns {
  center_id: number;
  domain: string;
  vertical: string;
  evidence_level: string;
  ai_generated: boolean;
  reference_type: string | null;
  reference_id: string | null;
  actor_id: string | null;
  tags: string[];
  metadata: { [name: string]: unknown };
  created_at: string;
  sealed_at: string | null;
  erased_at: string | null;
  erased_reason: string | null;
}

interface SealedDpu {
  row: DpuColumns;
  /** The center's line of business, which never changes. */
  vertical: string;
  event: OwnEventRow;
  sealed: SealedDecision;
  lastApproval: ApprovalRow | undefined;
  /** The record's timestamp. */
  at: string;
}

/**
 * The members of a sealed decision's DPU that do not match the decision. The row repeats some columns of the decision's rows.
 * Those are compared with the chain first, and the copies are compared with them only if they are correct. Members erased
 * there are erased here too.
 */
export function sealedDpuMembers(dpu: SealedDpu, isTrusted: boolean): string[] {
  const { row, vertical, event, sealed, lastApproval, at } = dpu;
  const isAt = (time: string | null) => time !== null && new Date(time).toISOString() === at;
  const checks: [member: string, right: boolean][] = [
    ['centerId', row.center_id === event.center_id],
    ['domain', row.domain === 'proof'],
    ['vertical', row.vertical === vertical],
    ['evidenceLevel', row.evidence_level === 'AUDIT_READY'],
    ['aiGenerated', row.ai_generated === (sealed.event.actor.type === 'ai_agent')],
    ['referenceType', row.reference_type === 'decision-event'],
    ['referenceId', row.reference_id === event.id],
    ['createdAt', isAt(row.created_at)],
    ['sealedAt', isAt(row.sealed_at)],
    // Members of a decision are erased individually; its record never is.
    ['erasedAt', row.erased_at === null && row.erased_reason === null],
  ];
  if (isTrusted) checks.push(...repeated(row, event, lastApproval));
  return checks.filter(([, right]) => !right).map(([member]) => member);
}

function repeated(
  row: DpuColumns,
  event: OwnEventRow,
  lastApproval: ApprovalRow | undefined,
): [string, boolean][] {
  const { eventId, decisionId, evidenceId, ...more } = row.metadata;
  const approver = lastApproval && (lastApproval.content.approver.id ?? null);
  return [
    ['actorId', row.actor_id === approver],
    ['tags', JSON.stringify(row.tags) === JSON.stringify(event.content.tags ?? [])],
    [
      'metadata',
      eventId === event.id &&
        evidenceId === event.evidence_id &&
        decisionId === event.content.decisionId &&
        Object.keys(more).length === 0,
    ],
  ];
}
