import { sqlIn, type Transaction } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** Where a center lies, by its settings: that says which policies above it have a say in it. */
export interface Whereabouts {
  country: string | null;
  region: string | null;
}

const LEFT = {
  name: 'policies_left',
  text: `SELECT id, name FROM policy
         WHERE active AND guards->'enforced' IS NOT NULL AND country = $1::text
           AND (scope = 'COUNTRY' OR (scope = 'REGION' AND region = $2::text))
           AND (country IS DISTINCT FROM $3::text OR (scope = 'REGION' AND region IS DISTINCT FROM $4::text))
         ORDER BY id LIMIT 1`,
};

/**
 * Keeps a center under those policies of its country and region that enforce something: it could otherwise loosen what it may
 * only tighten, by saying that it lies elsewhere. Whoever speaks for these policies may move it.
 */
export async function checkLeaving(
  { principal }: Context,
  db: Transaction,
  from: Whereabouts,
  to: Whereabouts,
): Promise<void> {
  if (from.country === to.country && from.region === to.region) return;
  if (principal.kind === 'system' || (principal.kind === 'actor' && principal.platformAdmin)) return;
  const values = [from.country, from.region, to.country, to.region];
  const [left] = await sqlIn(db).rows<{ id: string; name: string }>({ ...LEFT, values });
  if (!left) return;
  throw new DomainError(
    'FORBIDDEN',
    `The policy “${left.name}” enforces guards where the center lies; only a platform admin can move it elsewhere.`,
    { details: { policy: left.id } },
  );
}
