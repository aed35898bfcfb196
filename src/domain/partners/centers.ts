import type { Prisma } from '../../db/database.ts';
import { type AskedPage, type CursorWindow, oldestFirst, type Page, readPage } from '../../lib/paging.ts';
import { escapeLike, plainText } from '../../lib/text.ts';
import { centerNotFound } from '../centers/find.ts';
import { type CenterView, centerView, centerViews } from '../centers/view.ts';
import type { Context } from '../context.ts';
import { readTallies, tallyKeys } from '../tallies/tally.ts';
import { currentPartnerId, findPartnerCenter } from './partner-access.ts';

/** Part of a center's name or domain. */
export const centerSearchInput = plainText(256);

function matching(partnerId: string, search: string | null | undefined): Prisma.CenterWhereInput {
  const words = search?.trim();
  if (!words) return { partnerId };
  const contains = { contains: escapeLike(words), mode: 'insensitive' as const };
  return { partnerId, OR: [{ name: contains }, { centerDomain: contains }] };
}

/** The number of the partner's centers, or of search results. */
export async function countCenters(ctx: Context, search?: string | null): Promise<number> {
  const partnerId = currentPartnerId(ctx);
  if (search?.trim()) return ctx.reads.acrossTenants.center.count({ where: matching(partnerId, search) });
  const key = tallyKeys.partnerCenters(partnerId);
  return (await readTallies(ctx.reads.declared([]), [key])).get(key)!;
}

/** A page of the partner's centers, oldest first, so that new ones do not shift the pages. */
export async function listCenters(
  ctx: Context,
  { search, ...asked }: AskedPage & { search?: string | null },
): Promise<Page<CenterView>> {
  return readPage(asked, await countCenters(ctx, search), async (window) =>
    centerViews(ctx.reads.declared([]), await sliceOfCenters(ctx, search, window)),
  );
}

/** A range of the partner's centers by id, for pages and connections. */
export function sliceOfCenters(
  ctx: Context,
  search: string | null | undefined,
  window: CursorWindow<number>,
) {
  const where = matching(currentPartnerId(ctx), search);
  return ctx.reads.acrossTenants.center.findMany(oldestFirst(window, where));
}

export async function readPartnerCenter(ctx: Context, centerId: number): Promise<CenterView> {
  const center = await findPartnerCenter(ctx.app.db.acrossTenants, currentPartnerId(ctx), centerId);
  return centerView(ctx.app.db.pool, center);
}

/** One of the caller's centers; for a platform admin any center. */
export async function readManagedCenter(ctx: Context, centerId: number): Promise<CenterView> {
  const { principal, app } = ctx;
  if (principal.kind !== 'actor' || !principal.platformAdmin) return readPartnerCenter(ctx, centerId);
  const center = await app.db.acrossTenants.center.findUnique({ where: { id: centerId } });
  if (!center) throw centerNotFound();
  return centerView(app.db.pool, center);
}
