import { type CursorWindow, oldestFirst, type Page, pageRequest, skipOf, toPage } from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import { type MemberView, memberInclude, memberView } from '../memberships/view.ts';
import { readTallies } from '../tallies/tally.ts';
import { currentPartnerId } from './own.ts';
import { tallyKeys } from './tally-keys.ts';

export async function countMembers(ctx: Context): Promise<number> {
  const key = tallyKeys.partnerMemberships(currentPartnerId(ctx));
  return (await readTallies(ctx.app.db.pool, [key])).get(key)!;
}

/** A page of everybody in the partner's centers, oldest membership first. */
export async function listMembers(
  ctx: Context,
  { page, limit }: { page?: number | null; limit?: number | null },
): Promise<Page<MemberView>> {
  const request = pageRequest(page ?? undefined, limit ?? undefined);
  const total = await countMembers(ctx);
  const skip = skipOf(request);
  const rows = skip >= total ? [] : await sliceOfMembers(ctx, { skip, limit: request.limit });
  return toPage(rows, total, request);
}

/** A window of them by id, for pages and connections. */
export async function sliceOfMembers(ctx: Context, window: CursorWindow): Promise<MemberView[]> {
  const { where, ...page } = oldestFirst(window);
  const rows = await ctx.app.db.acrossTenants.membership.findMany({
    where: { partnerId: currentPartnerId(ctx), ...where },
    include: memberInclude,
    ...page,
  });
  return rows.map(memberView);
}
