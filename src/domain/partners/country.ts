import { validationError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/merge-patch.ts';
import type { Context } from '../context.ts';
import { checkLeaving } from '../policies/leaving.ts';
import type { Work } from '../unit-of-work.ts';

/** A partner's country applies to each of its centers without one. */
export function countryOf(settings: JsonObject): string | null {
  return typeof settings['country'] === 'string' ? settings['country'] : null;
}

export function requireCountry({ country }: JsonObject): void {
  if (country === undefined || (typeof country === 'string' && /^[A-Z]{2}$/.test(country))) return;
  throw validationError([{ path: 'country', message: 'must be two capital letters (ISO 3166)' }]);
}

/**
 * Writes the partner's country to its centers, with an audit entry in each: a proof must be able to show which country
 * policies applied to a center at any time. Refused if a center would leave a policy that enforces guards.
 */
export async function moveCenters(
  ctx: Context,
  work: Work,
  partnerId: string,
  from: string | null,
  to: string | null,
): Promise<void> {
  if (from === to) return;
  const following = await work.db.$queryRaw<{ region: string | null }[]>`
    SELECT DISTINCT settings->>'region' AS region FROM center
    WHERE partner_id = ${partnerId} AND status <> 'INACTIVE' AND settings->>'country' IS NULL`;
  for (const { region } of following) {
    await checkLeaving(ctx, work.db, { country: from, region }, { country: to, region });
  }
  const moved = await work.db.$queryRaw<{ id: number }[]>`
    UPDATE center SET updated_at = ${ctx.now}, settings = CASE
      WHEN ${to}::text IS NULL THEN settings - 'partnerCountry'
      ELSE settings || jsonb_build_object('partnerCountry', ${to}::text) END
    WHERE partner_id = ${partnerId} RETURNING id`;
  const detail = { from: { partnerCountry: from }, to: { partnerCountry: to } };
  for (const { id } of moved) {
    work.audit({ type: 'center.updated', centerId: id, target: String(id), detail });
  }
}
