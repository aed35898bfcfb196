import { sql, type Transaction } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** Where a center lies, by its settings: that says which policies above it have a say in it. */
export interface Whereabouts {
  country: string | null;
  region: string | null;
}

const LEFT = sql<{ id: string; name: string }>('policies_left')`
  SELECT id, name FROM policy
  WHERE active AND guards->'enforced' IS NOT NULL AND country = $fromCountry::text
    AND (scope = 'COUNTRY' OR (scope = 'REGION' AND region = $fromRegion::text))
    AND (country IS DISTINCT FROM $toCountry::text OR (scope = 'REGION' AND region IS DISTINCT FROM $toRegion::text))
  ORDER BY id LIMIT 1`;

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
  const [left] = await LEFT.rows(db, {
    fromCountry: from.country,
    fromRegion: from.region,
    toCountry: to.country,
    toRegion: to.region,
  });
  if (!left) return;
  throw new DomainError(
    'FORBIDDEN',
    `The policy “${left.name}” enforces guards where the center lies; only a platform admin can move it elsewhere.`,
    { details: { policy: left.id } },
  );
}
