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

/** A window of the centers of the whole installation, oldest first, ended ones included. */
export async function sliceOfAllCenters(
  { app }: Context,
  filter: CenterFilter,
  window: CursorWindow<number>,
): Promise<CenterView[]> {
  const { where, ...page } = oldestFirst(window);
  const rows = await app.db.acrossTenants.center.findMany({
    where: { ...matching(filter), ...where },
    ...page,
  });
  return centerViews(app.db.pool, rows);
}

export function countAllCenters({ app }: Context, filter: CenterFilter): Promise<number> {
  return app.db.acrossTenants.center.count({ where: matching(filter) });
}

/** The centers behind rows that the caller was let see. */
export async function centersById({ app }: Context, ids: string[]): Promise<Map<string, CenterView>> {
  const rows = await app.db.acrossTenants.center.findMany({ where: { id: { in: ids.map(Number) } } });
  const views = await centerViews(app.db.pool, rows);
  return new Map(views.map((view) => [String(view.id), view]));
}
