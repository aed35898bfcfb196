import type { Pool, PoolClient } from '../../db/database.ts';
import type { Policy } from './effective.ts';

/**
 * The policies that have a say in a center: its own, and those of its region, its country and the world. Read anew at
 * each decision, by index, so that a change counts from its commit on.
 */
export async function policiesInForce(db: Pool | PoolClient, centerId: number): Promise<Policy[]> {
  const { rows } = await db.query<Policy>({
    name: 'policies_in_force',
    text: `SELECT p.id, p.version, p.scope, p.action_pattern AS "actionPattern", p.guards
           FROM center c
           JOIN policy p ON p.active AND (
             p.scope = 'GLOBAL'
             OR (p.scope = 'CENTER' AND p.center_id = c.id)
             OR (p.scope = 'COUNTRY' AND p.country = c.settings->>'country')
             OR (p.scope = 'REGION' AND p.region = c.settings->>'region' AND p.country = c.settings->>'country'))
           WHERE c.id = $1`,
    values: [centerId],
  });
  return rows;
}
