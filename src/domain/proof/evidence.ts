import type { Pool } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { SealedDecision } from './content.ts';

/** The proof of a sealed decision, as the chain's own record tells it. */
export interface Evidence extends SealedDecision {
  id: string;
  eventId: string;
  dpuId: string;
  decisionId: string;
  status: 'sealed';
  evidenceLevel: 'AUDIT_READY';
  chain: { hash: string; previousHash: string | null; index: number; domain: string };
  sealedAt: Date;
  createdAt: Date;
}

interface EvidenceRow {
  evidence_id: string;
  event_id: string;
  dpu_id: string;
  decision_id: string;
  created_at: Date;
  content: string;
  hash: string;
  previous_hash: string | null;
  index: number;
  timestamp: string;
  domain: string;
}

/** Read from the ledger and not from the event's own row: what is shown is what was sealed. */
export async function findEvidence(pool: Pool, centerId: number, id: string): Promise<Evidence | null> {
  if (!looksLikeId(id)) return null;
  const { rows } = await pool.query<EvidenceRow>({
    name: 'evidence_by_id',
    text: `SELECT e.evidence_id, e.id AS event_id, e.dpu_id, e.decision_id, e.created_at,
                  r.content, r.hash, r.previous_hash, r.index, r.timestamp, d.domain
           FROM decision_event e
           JOIN dpu d ON d.id = e.dpu_id
           JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
           WHERE e.evidence_id = $1 AND e.center_id = $2`,
    values: [id, centerId],
  });
  return rows[0] ? toEvidence(rows[0]) : null;
}

export async function getEvidence(ctx: Context, id: string): Promise<Evidence> {
  const evidence = await findEvidence(ctx.app.db.pool, currentCenterId(ctx), id);
  if (!evidence) throw new DomainError('NOT_FOUND', 'There is no such evidence, or it is not sealed yet.');
  return evidence;
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    ...(JSON.parse(row.content) as SealedDecision),
    id: row.evidence_id,
    eventId: row.event_id,
    dpuId: row.dpu_id,
    decisionId: row.decision_id,
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    chain: { hash: row.hash, previousHash: row.previous_hash, index: row.index, domain: row.domain },
    sealedAt: new Date(row.timestamp),
    createdAt: row.created_at,
  };
}
