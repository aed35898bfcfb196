import type { Policy } from '@countersign/proof-kit/effective-policy';
import type { Reads } from '../../db/database.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';

/** A center without a country is in its partner's country. */
const COUNTRY = `coalesce(c.settings->>'country', c.settings->>'partnerCountry')`;

/**
 * The given centers with the policies that apply in each: its own, and those of its region, its country and the world. Read
 * for each decision, so that a change takes effect on commit. The sizes of the chains are those of the same snapshot.
 */
export const governedSql = (ids: string) => `
  SELECT c.id, c.center_domain AS domain, coalesce(json_agg(json_build_object(
           'id', p.id, 'version', p.version, 'scope', p.scope, 'actionPattern', p.action_pattern, 'guards', p.guards))
           FILTER (WHERE p.active), '[]') AS policies,
         json_build_object(
           'own', coalesce((SELECT size FROM ledger_chain WHERE center_id = c.id AND domain = 'journal'), 0),
           'platform', coalesce((SELECT size FROM ledger_chain WHERE center_id IS NULL AND domain = 'journal'), 0),
           'passkeys', coalesce((SELECT size FROM ledger_chain WHERE center_id IS NULL AND domain = 'audit'), 0)) AS sizes,
         greatest(c.updated_at, max(p.updated_at), (SELECT max(o.updated_at) FROM policy o WHERE o.center_id IS NULL))
           AS "governedSince"
  FROM center c
  LEFT JOIN LATERAL (
    SELECT * FROM policy own WHERE own.center_id = c.id
    UNION ALL
    SELECT * FROM policy wider WHERE wider.center_id IS NULL AND wider.active AND (
      wider.scope = 'GLOBAL'
      OR (wider.scope = 'COUNTRY' AND wider.country = ${COUNTRY})
      OR (wider.scope = 'REGION' AND wider.region = c.settings->>'region' AND wider.country = ${COUNTRY}))
  ) p ON true
  WHERE c.id = ANY (${ids}::int[]) GROUP BY c.id`;

/** How many records the chains had that decide about a center's decisions. */
export interface ChainSizes {
  /** The journal of the center. */
  own: number;
  /** The journal of the platform. */
  platform: number;
  /** The audit chain of the platform, which has the registrations of passkeys. */
  passkeys: number;
}

/** Parses policies that arrive as text. Decisions of a batch share the same few lists, so equal texts give the same list. */
export function policyParser(): (text: string) => Policy[] {
  const parsed = new Map<string, Policy[]>();
  return (text) => {
    let policies = parsed.get(text);
    if (!policies) {
      policies = JSON.parse(text) as Policy[];
      parsed.set(text, policies);
    }
    return policies;
  };
}

const IN_FORCE = sql('policies_in_force', {
  id: 'int',
  domain: 'text',
  policies: typed<Policy[]>('json'),
  sizes: typed<ChainSizes>('json'),
  /** The latest time at which this set of policies changed. */
  governedSince: 'timestamptz',
})`${governedSql('$centerIds')}`;

/** A center as named in its decisions, with the policies that apply there. */
export type GovernedCenter = RowOf<typeof IN_FORCE>;

export async function policiesInForce(db: Reads, centerId: number): Promise<Policy[]> {
  const rows = await IN_FORCE.rows(db.declared([centerId]), { centerIds: [centerId] });
  return rows[0]?.policies ?? [];
}
