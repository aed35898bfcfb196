import type { AttachedRecord } from '@countersign/proof-kit';
import { matchesAction } from '@countersign/proof-kit/action-pattern';
import type { DisclosedDecision } from '@countersign/proof-kit/disclose';
import { type RowOf, sql } from '../../../../db/sql.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import type { ProofContext } from '../../decision-context.ts';
import { attachedRecord, placeOf, RECORD_COLUMNS, RECORD_ROW } from './attached-record.ts';

/** Verifiers do not read more than this. */
const MOST_POLICIES = 200;

interface Version {
  row: RowOf<typeof VERSIONS>;
  policyId: string;
  version: number;
  actionPattern: string;
  active: boolean;
}

/**
 * The versions, up to a given time, of all policies that applied to a center then, and of the named ones. The center's
 * location at that time comes from later `center.updated` audit entries. The baseline's first version was written by a
 * migration as the first entry of the platform's journal and has no author.
 */
const VERSIONS = sql('policy_versions_at', RECORD_ROW)`
  WITH place AS MATERIALIZED (
    SELECT k.name, CASE WHEN moved.center_id IS NULL THEN c.settings->>k.name ELSE moved.was END AS value
    FROM center c CROSS JOIN (VALUES ('country'), ('partnerCountry'), ('region')) AS k(name)
    LEFT JOIN LATERAL (
      SELECT a.center_id, a.detail->'from'->>k.name AS was FROM audit_entry a
      WHERE a.center_id = c.id AND a.type = 'center.updated' AND a.target = c.id::text
        AND a.occurred_at > ($sealedAt::text)::timestamptz AND jsonb_exists(a.detail->'to', k.name)
      ORDER BY a.occurred_at, a.id LIMIT 1) moved ON true
    WHERE c.id = $centerId::int
  ), concerned AS (
    SELECT p.id FROM policy p
    WHERE p.scope = 'GLOBAL' OR (p.scope = 'CENTER' AND p.center_id = $centerId::int)
       OR (p.scope IN ('COUNTRY', 'REGION') AND p.country = coalesce(
             (SELECT value FROM place WHERE name = 'country'), (SELECT value FROM place WHERE name = 'partnerCountry'))
           AND (p.scope = 'COUNTRY' OR p.region = (SELECT value FROM place WHERE name = 'region')))
    UNION SELECT unnest($ids::text[])
  ), entry AS (
    SELECT b.chain_id, b.index FROM concerned p JOIN journal_by b ON b.subject = p.id AND b.kind = 'policy'
    UNION ALL
    SELECT c.id, 0 FROM ledger_chain c WHERE c.center_id IS NULL AND c.domain = 'journal'
  )
  SELECT ${RECORD_COLUMNS} FROM entry e JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  WHERE r.timestamp <= $sealedAt::text ORDER BY r.timestamp, r.chain_id, r.index`;

/**
 * The policies under which a decision was sealed: each version named by its guards, and the newest version before the seal of
 * every policy that covered the action, from the journals.
 */
export async function exportedPolicies(
  ctx: ProofContext,
  centerId: number,
  { policy, event }: DisclosedDecision,
  { sealedAt, isSigned }: { sealedAt: string; isSigned: boolean },
): Promise<Omit<AttachedRecord, 'disclosures'>[] | undefined> {
  const named = new Map([[keyOf(policy.id, policy.version), policy.id]]);
  for (const guard of policy.guards)
    if (guard.policy !== undefined) named.set(keyOf(guard.policy, guard.version), guard.policy);
  const ids = new Set(named.values());
  const db = ctx.app.db.declared('acrossTenants');
  const rows = await VERSIONS.rows(db, { centerId, sealedAt, ids: [...ids] });
  const versions = rows.map(versionOf).filter((version) => version !== null);
  const newest = new Map<string, Version>();
  for (const each of versions) {
    const known = newest.get(each.policyId);
    if (!known || known.version < each.version) newest.set(each.policyId, each);
  }
  const chosen = versions.filter((each) => {
    const { policyId, version, active, actionPattern } = each;
    if (named.has(keyOf(policyId, version))) return true;
    if (newest.get(policyId) !== each) return false;
    return ids.has(policyId) || (active && matchesAction(actionPattern, event.action.type));
  });
  if (chosen.length > MOST_POLICIES) return undefined;
  return Promise.all(
    chosen.map(async ({ row }) => {
      await checkLink(db, placeOf(row));
      return attachedRecord(ctx, row, isSigned);
    }),
  );
}

const keyOf = (id: string, version: number | undefined) => `${version} ${id}`;

/**
 * Null for an entry that is not about a policy: the first entry of the platform's journal is only assumed to be the baseline.
 */
function versionOf(row: Version['row']): Version | null {
  const { kind, ...content } = JSON.parse(row.content) as Omit<Version, 'row'> & { kind: string };
  return kind === 'policy' ? { ...content, row } : null;
}
