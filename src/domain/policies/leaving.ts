import { sql, type Transaction } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** A center's location in its settings, which determines the policies above it that apply. */
export interface CenterLocation {
  country: string | null;
  region: string | null;
}

const LEFT = sql('policies_left', { id: 'text', name: 'text' })`
  SELECT id, name FROM policy
  WHERE active AND guards->'enforced' IS NOT NULL AND country = $fromCountry::text
    AND (scope = 'COUNTRY' OR (scope = 'REGION' AND region = $fromRegion::text))
    AND (country IS DISTINCT FROM $toCountry::text OR (scope = 'REGION' AND region IS DISTINCT FROM $toRegion::text))
  ORDER BY id LIMIT 1`;

/**
 * Prevents a center from leaving country or region policies that enforce guards. Otherwise it could loosen rules that it may
 * only tighten by changing its location. Platform admins may move it.
 */
export async function checkLeaving(
  { principal }: Context,
  db: Transaction,
  from: CenterLocation,
  to: CenterLocation,
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
    `The policy “${left.name}” enforces guards at the center’s location; only a platform admin can move the center.`,
    { details: { policy: left.id } },
  );
}
