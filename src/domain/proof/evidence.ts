import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import type { SealedPolicy } from '@countersign/proof-kit/sealed-decision';
import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { ErasedMember } from './erased.ts';
import { isHidden } from './requester.ts';
import { requesterOf } from './row.ts';
import { findSealedDecision } from './sealed-decision.ts';

/** The proof of a sealed decision, from the chain's own record. */
export interface Evidence {
  id: string;
  eventId: string;
  dpuId: string;
  /** Empty if it was erased. */
  decisionId: string;
  status: 'sealed';
  evidenceLevel: 'AUDIT_READY';
  event: ShownEvent;
  approvals: ShownApproval[];
  policy: SealedPolicy;
  erased: ErasedMember[];
  chain: { hash: string; previousHash: string | null; index: number; domain: string };
  sealedAt: Date;
  createdAt: Date;
}

export async function getEvidence(ctx: Context, id: string): Promise<Evidence> {
  const sealed = looksLikeId(id)
    ? await findSealedDecision(ctx.app.db, currentCenterId(ctx), 'evidence_id', id)
    : null;
  if (!sealed || isHidden(ctx, requesterOf(sealed.row)))
    throw new DomainError('NOT_FOUND', 'Evidence not found, or not sealed yet.');
  const { row, disclosed, erased, hash, previousHash, timestamp } = sealed;
  const { event, approvals, policy } = disclosed;
  return {
    id: row.evidence_id,
    eventId: row.id,
    dpuId: row.dpu_id,
    decisionId: event.decisionId ?? '',
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    event,
    approvals,
    policy,
    erased,
    chain: { hash, previousHash, index: row.chain_index!, domain: 'proof' },
    sealedAt: new Date(timestamp),
    createdAt: row.created_at,
  };
}
