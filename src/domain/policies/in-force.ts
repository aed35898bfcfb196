import type { Queryable } from '../../db/database.ts';
import type { Policy } from './effective.ts';

/** A center as its decisions name it, with the policies that have a say there. */
export interface GovernedCenter {
  id: number;
  domain: string;
  policies: Policy[];
}

/**
 * The policies that have a say in each of the centers: its own, and those of its region, its country and the world. Read
 * anew for each decision, so that a change counts from its commit on; in one round trip, whatever the number of centers.
 */
export async function governedCenters(
  db: Queryable,
  centerIds: number[],
): Promise<Map<number, GovernedCenter>> {
  const { rows } = await db.query<Policy & { centerId: number; domain: string }>({
    name: 'policies_in_force',
    text: `SELECT c.id AS "centerId", c.center_domain AS domain,
                  p.id, p.version, p.scope, p.action_pattern AS "actionPattern", p.guards
           FROM center c
           JOIN policy p ON p.active AND (
             p.scope = 'GLOBAL'
             OR (p.scope = 'CENTER' AND p.center_id = c.id)
             OR (p.scope = 'COUNTRY' AND p.country = c.settings->>'country')
             OR (p.scope = 'REGION' AND p.region = c.settings->>'region' AND p.country = c.settings->>'country'))
           WHERE c.id = ANY ($1::int[])`,
    values: [centerIds],
  });
  const centers = new Map<number, GovernedCenter>();
  for (const { centerId, domain, ...policy } of rows) {
    const center = centers.get(centerId) ?? { id: centerId, domain, policies: [] };
    centers.set(centerId, center);
    center.policies.push(policy);
  }
  return centers;
}

export async function policiesInForce(db: Queryable, centerId: number): Promise<Policy[]> {
  return (await governedCenters(db, [centerId])).get(centerId)?.policies ?? [];
}
