import type { Partner } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { readTallies, tallyKeys } from '../tallies/tally.ts';

function matching(search: string | null | undefined) {
  const words = search?.trim();
  return words ? { name: { contains: escapeLike(words), mode: 'insensitive' as const } } : {};
}

/** A page of all partners, newest first, for the operator. */
export function sliceOfPartners(
  { reads }: Context,
  search: string | null | undefined,
  window: CursorWindow,
): Promise<Partner[]> {
  return reads.acrossTenants.partner.findMany(newestFirst(window, matching(search)));
}

export function countPartners({ reads }: Context, search: string | null | undefined): Promise<number> {
  return reads.acrossTenants.partner.count({ where: matching(search) });
}

export async function partnersById({ reads }: Context, ids: string[]): Promise<Map<string, Partner>> {
  const rows = await reads.acrossTenants.partner.findMany({ where: { id: { in: ids } } });
  return new Map(rows.map((row) => [row.id, row]));
}

interface PartnerSize {
  centers: number;
  members: number;
}

/** The sizes of partners, from counts alone. */
export async function partnerSizes({ reads }: Context, ids: string[]): Promise<Map<string, PartnerSize>> {
  const { partnerCenters, partnerMembers } = tallyKeys;
  const counts = await readTallies(
    reads.declared([]),
    ids.flatMap((id) => [partnerCenters(id), partnerMembers(id)]),
  );
  return new Map(
    ids.map((id) => [
      id,
      { centers: counts.get(partnerCenters(id))!, members: counts.get(partnerMembers(id))! },
    ]),
  );
}
