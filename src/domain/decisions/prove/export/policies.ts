import type { AttachedRecord } from '@countersign/proof-kit';
import type { PolicyVersion, SealedPolicy } from '@countersign/proof-kit/decision';
import { sql } from '../../../../db/sql.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import type { ProofContext } from '../../decision-context.ts';
import { attachedRecord, placeOf, RECORD_COLUMNS, RECORD_ROW } from './attached-record.ts';

/**
 * The journal entries of policy versions. The baseline's first version was written by a migration as the first entry of the
 * platform's journal and has no author.
 */
const VERSIONS = sql('policy_versions', RECORD_ROW)`
  WITH wanted AS (SELECT * FROM unnest($ids::text[], $versions::int[]) AS w(id, version)), entry AS (
    SELECT b.chain_id, b.index FROM journal_by b WHERE b.subject = ANY ($ids::text[]) AND b.kind = 'policy'
    UNION ALL
    SELECT c.id, 0 FROM ledger_chain c WHERE c.center_id IS NULL AND c.domain = 'journal'
  )
  SELECT ${RECORD_COLUMNS}
  FROM entry e JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  CROSS JOIN LATERAL (SELECT try_jsonb(r.content) AS c) p
  JOIN wanted w ON p.c->>'kind' = 'policy' AND p.c->>'policyId' = w.id AND p.c->'version' = to_jsonb(w.version)
  ORDER BY w.id, w.version, r.chain_id, r.index`;

/** The policy versions that the service considered, from the journals. */
export async function exportedPolicies(
  ctx: ProofContext,
  policy: SealedPolicy,
  isSigned: boolean,
): Promise<Omit<AttachedRecord, 'disclosures'>[]> {
  const wanted = policy.considered ?? namedVersions(policy);
  const db = ctx.app.db.declared('acrossTenants');
  const rows = await VERSIONS.rows(db, {
    ids: wanted.map(({ id }) => id),
    versions: wanted.map(({ version }) => version),
  });
  return Promise.all(
    rows.map(async (row) => {
      await checkLink(db, placeOf(row));
      return attachedRecord(ctx, row, isSigned);
    }),
  );
}

/** A decision sealed before format 4 says only which policies its guards come from. */
function namedVersions({ id, version, guards }: SealedPolicy): PolicyVersion[] {
  const named = new Map([[`${version} ${id}`, { id, version }]]);
  for (const { policy, version } of guards)
    if (policy !== undefined && version !== undefined)
      named.set(`${version} ${policy}`, { id: policy, version });
  return [...named.values()];
}
