import type { SealedPolicy } from '@countersign/proof-kit/decision';
import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import type { ChainDomain, EvidenceLevel } from '../../../db/generated/prisma/enums.ts';
import { sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import type { ErasedMember } from '../erased.ts';
import { isHidden, onlyRequestsOf } from '../requester.ts';
import { requesterOf } from '../row.ts';
import { findSealedDecision } from './sealed-decision.ts';

/** The state of a decision record. The record has an id before it is on the chain. */
export interface ProofState {
  id: string;
  status: 'sealed' | 'pending';
  evidenceLevel: EvidenceLevel;
  chainHash: string | null;
  chainIndex: number | null;
  domain: ChainDomain;
  createdAt: Date;
  sealedAt: Date | null;
}

export async function getProofState(ctx: Context, id: string): Promise<ProofState> {
  const row = looksLikeId(id) ? await findState(ctx, id) : undefined;
  if (!row) throw new DomainError('DPU_NOT_FOUND', 'Decision record not found.');
  const { evidenceLevel, eventStatus, ...rest } = row;
  // A record or its row was removed by bypassing the application.
  if (evidenceLevel === null ? eventStatus === 'sealed' : row.chainHash === null) {
    throw new DomainError('CHAIN_BROKEN', 'This decision record is missing from its chain.');
  }
  const level = evidenceLevel ?? (eventStatus === 'recorded' ? 'DRAFT' : 'DOCUMENTED');
  return { ...rest, evidenceLevel: level, status: level === 'AUDIT_READY' ? 'sealed' : 'pending' };
}

const PROOF_STATE = sql('proof_state', {
  id: 'text',
  evidenceLevel: 'evidence_level?',
  eventStatus: 'decision_event_status?',
  chainHash: 'text?',
  chainIndex: 'int?',
  domain: 'chain_domain',
  createdAt: 'timestamptz',
  sealedAt: 'timestamptz?',
})`
  SELECT d.id, d.evidence_level AS "evidenceLevel", NULL AS "eventStatus", r.hash AS "chainHash",
         r.index AS "chainIndex", d.domain, d.created_at AS "createdAt", d.sealed_at AS "sealedAt"
  FROM dpu d LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE d.id = $id AND d.center_id = $centerId AND ($requestedBy::text IS NULL OR EXISTS (
    SELECT FROM decision_event o WHERE o.dpu_id = d.id AND o.by_kind = 'api_key' AND o.by_id = $requestedBy))
  UNION ALL
  SELECT e.dpu_id, NULL, e.status, NULL, NULL, 'proof', e.created_at, NULL
  FROM decision_event e
  WHERE e.dpu_id = $id AND e.center_id = $centerId AND NOT EXISTS (SELECT FROM dpu WHERE dpu.id = e.dpu_id)
    AND ($requestedBy::text IS NULL OR (e.by_kind = 'api_key' AND e.by_id = $requestedBy))`;

async function findState(ctx: Context, id: string) {
  const rows = await PROOF_STATE.rows(ownRows(ctx), {
    id,
    centerId: currentCenterId(ctx),
    requestedBy: onlyRequestsOf(ctx),
  });
  return rows[0];
}

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
