import type { Prisma } from '../../db/database.ts';
import type { MembershipStatus } from '../../db/generated/prisma/enums.ts';
import {
  type AskedPage,
  type CursorWindow,
  MOST_COUNTED,
  oldestFirst,
  type Page,
  readPage,
} from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import { peopleMatching } from '../memberships/list.ts';
import { type MemberView, memberInclude, memberView } from '../memberships/view.ts';
import { readTallies, tallyKeys } from '../tallies/tally.ts';
import { currentPartnerId } from './partner-access.ts';

interface PartnerMemberFilter {
  search?: string | null | undefined;
  status?: MembershipStatus | null | undefined;
}

function matching(ctx: Context, { search, status }: PartnerMemberFilter): Prisma.MembershipWhereInput {
  const words = search?.trim();
  return {
    partnerId: currentPartnerId(ctx),
    ...(status && { status }),
    ...(words && peopleMatching(words)),
  };
}

/** The total number, or the number of search results counted up to a limit. */
export async function countMembers(ctx: Context, filter: PartnerMemberFilter = {}): Promise<number> {
  if (filter.status || filter.search?.trim()) {
    const where = matching(ctx, filter);
    return ctx.reads.acrossTenants.membership.count({ where, take: MOST_COUNTED });
  }
  const key = tallyKeys.partnerMemberships(currentPartnerId(ctx));
  return (await readTallies(ctx.reads.declared([]), [key])).get(key)!;
}

/** A page of everyone in the partner's centers, oldest membership first. */
export async function listMembers(ctx: Context, asked: AskedPage): Promise<Page<MemberView>> {
  return readPage(asked, await countMembers(ctx), (window) => sliceOfMembers(ctx, {}, window));
}

/** A range of them by id, for pages and connections. */
export async function sliceOfMembers(
  ctx: Context,
  filter: PartnerMemberFilter,
  window: CursorWindow,
): Promise<MemberView[]> {
  const page = oldestFirst(window, matching(ctx, filter));
  const rows = await ctx.reads.acrossTenants.membership.findMany({ ...page, include: memberInclude });
  return rows.map(memberView);
}
