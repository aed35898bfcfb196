import type { Prisma } from '../../db/database.ts';
import type { CenterStatus } from '../../db/generated/prisma/enums.ts';
import { type CursorWindow, oldestFirst } from '../../lib/paging.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { type CenterView, centerViews } from './view.ts';

interface CenterFilter {
  search?: string | null | undefined;
  status?: CenterStatus | null | undefined;
  partnerId?: string | null | undefined;
}

function matching({ search, status, partnerId }: CenterFilter): Prisma.CenterWhereInput {
  const words = search?.trim();
  const contains = words && { contains: escapeLike(words), mode: 'insensitive' as const };
  return {
    ...(status && { status }),
    ...(partnerId && { partnerId }),
    ...(contains && { OR: [{ name: contains }, { centerDomain: contains }] }),
  };
}

/** A page of all centers of the installation, oldest first, including ended ones. */
export async function sliceOfAllCenters(
  { reads }: Context,
  filter: CenterFilter,
  window: CursorWindow<number>,
): Promise<CenterView[]> {
  const rows = await reads.acrossTenants.center.findMany(oldestFirst(window, matching(filter)));
  return centerViews(reads.declared([]), rows);
}

export function countAllCenters({ reads }: Context, filter: CenterFilter): Promise<number> {
  return reads.acrossTenants.center.count({ where: matching(filter) });
}

/** The centers behind rows that the caller may see. */
export async function centersById({ reads }: Context, ids: string[]): Promise<Map<string, CenterView>> {
  const rows = await reads.acrossTenants.center.findMany({ where: { id: { in: ids.map(Number) } } });
  const views = await centerViews(reads.declared([]), rows);
  return new Map(views.map((view) => [String(view.id), view]));
}
