import type { ProofDocument } from '@countersign/proof-kit';
import { LRUCache } from 'lru-cache';
import { type RowOf, sql, typed } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { systemContext } from '../../context.ts';
import { FEATURE_ROW, featureColumns, featureJoins, featuresOffIn } from '../../features/features-off.ts';
import { transact } from '../../unit-of-work.ts';
import type { ProofApp } from '../decision-context.ts';
import { exportDocument } from './export/export.ts';

const PUBLIC_ROW = {
  dpuId: 'text',
  centerId: 'int',
  centerName: 'text',
  domain: 'chain_domain',
  /** Null if the record's row is missing. */
  index: 'int?',
  /** The members that the center discloses publicly, by path. */
  disclose: typed<string[]>('jsonb'),
} as const;
/** The public view of a sealed record. */
type PublicRecord = RowOf<typeof PUBLIC_ROW>;

interface PublicProof extends PublicRecord {
  /** Null if the record fails its own check and nothing about it can be certified. */
  document: ProofDocument | null;
}

/**
 * The proof for the id of a decision event, its evidence or its decision record; null unless it is sealed. Reads across
 * tenants on purpose: anyone who has the id may see what the center discloses publicly.
 */
export async function findPublicProof(app: ProofApp, id: string): Promise<PublicProof | null> {
  const record = looksLikeId(id) ? await findRecord(app, id) : undefined;
  if (!record) return null;
  if (record.index === null) return { ...record, document: null };
  try {
    const ctx = systemContext(app, 'verify', record.centerId);
    const shown = new Set(record.disclose);
    return { ...record, document: await exportDocument(ctx, record.dpuId, (path) => shown.has(path)) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CHAIN_BROKEN') return { ...record, document: null };
    throw error;
  }
}

const PUBLIC_RECORD = sql('public_record', { ...PUBLIC_ROW, ...FEATURE_ROW })`
  SELECT p."dpuId", p."centerId", c.name AS "centerName", p.domain, p.index,
         coalesce(c.settings->'proof'->'disclose', '[]') AS disclose,
         ${featureColumns('$enforcePlans')}
  FROM (
    SELECT id AS "dpuId", center_id AS "centerId", domain, index, erased_at IS NOT NULL AS erased FROM dpu
    WHERE evidence_level = 'AUDIT_READY'
      AND id = coalesce((SELECT dpu_id FROM decision_event WHERE id = $id OR evidence_id = $id), $id)
    UNION ALL
    SELECT dpu_id, center_id, 'proof', NULL, false FROM decision_event e
    WHERE (id = $id OR evidence_id = $id OR dpu_id = $id) AND status = 'sealed'
      AND NOT EXISTS (SELECT FROM dpu d WHERE d.id = e.dpu_id)
  ) p JOIN center c ON c.id = p."centerId" ${featureJoins}
  WHERE c.settings->'proof'->>'enabled' IS DISTINCT FROM 'false'
    -- The hash of a platform record has no salt: a reader who knows it could guess undisclosed content.
    AND (p.domain <> 'platform'
         OR (NOT p.erased AND coalesce(c.settings->'proof'->'disclose', '[]')::jsonb ? 'content'))`;

async function findRecord(app: ProofApp, id: string): Promise<PublicRecord | undefined> {
  const [row] = await PUBLIC_RECORD.rows(app.db.declared('acrossTenants'), {
    id,
    enforcePlans: app.config.enforcePlanFeatures,
  });
  return row && !featuresOffIn(row).proofPage ? row : undefined;
}

const AGAIN_AFTER_MS = 60_000;
const SEEN_KEPT = 10_000;

/** Notifies the center that a record was verified, at most once a minute per record to prevent flooding. */
export function makeVerificationNotifier(app: ProofApp) {
  const seen = new LRUCache<string, true>({ max: SEEN_KEPT, ttl: AGAIN_AFTER_MS });
  return async (
    { dpuId, centerId, domain, index, document }: PublicProof,
    address: string,
  ): Promise<void> => {
    const key = `${dpuId} ${address}`;
    if (seen.has(key)) return;
    seen.set(key, true);
    const valid = document !== null;
    await transact(systemContext(app, 'verify', centerId), async (work) => {
      work.emit('dpu.verified', {
        dpuId,
        domain,
        valid,
        chainLength: index === null ? 0 : index + 1,
        brokenAt: valid ? null : index,
      });
    });
  };
}
