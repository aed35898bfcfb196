import type { Partner } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { readTallies } from '../tallies/tally.ts';
import { tallyKeys } from '../tallies/tally-keys.ts';

function matching(search: string | null | undefined) {
  const words = search?.trim();
  return words ? { name: { contains: escapeLike(words), mode: 'insensitive' as const } } : {};
}

/** A window of all partners, newest first, for the operator. */
export function sliceOfPartners(
  { app }: Context,
  search: string | null | undefined,
  window: CursorWindow,
): Promise<Partner[]> {
  const { where, ...page } = newestFirst(window);
  return app.db.acrossTenants.partner.findMany({ where: { ...matching(search), ...where }, ...page });
}

export function countPartners({ app }: Context, search: string | null | undefined): Promise<number> {
  return app.db.acrossTenants.partner.count({ where: matching(search) });
}

export async function partnersById({ app }: Context, ids: string[]): Promise<Map<string, Partner>> {
  const rows = await app.db.acrossTenants.partner.findMany({ where: { id: { in: ids } } });
  return new Map(rows.map((row) => [row.id, row]));
}

interface PartnerSize {
  centers: number;
  members: number;
}

/** How large partners are, from counts alone. */
export async function partnerSizes({ app }: Context, ids: string[]): Promise<Map<string, PartnerSize>> {
  const { partnerCenters, partnerMembers } = tallyKeys;
  const counts = await readTallies(
    app.db.pool,
    ids.flatMap((id) => [partnerCenters(id), partnerMembers(id)]),
  );
  return new Map(
    ids.map((id) => [
      id,
      { centers: counts.get(partnerCenters(id))!, members: counts.get(partnerMembers(id))! },
    ]),
  );
}
