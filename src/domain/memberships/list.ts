import { z } from 'zod';
import { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { type CursorWindow, MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { escapeLike, lowerCase, plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

export const memberFilter = z.object({
  role: z.enum(ActorRole).nullish(),
  status: z.enum(MembershipStatus).nullish(),
  search: plainText(200).nullish(),
});

export type MemberFilter = z.infer<typeof memberFilter>;

/** The memberships of the caller's center, newest first. */
export async function listMembers(
  ctx: Context,
  filter: MemberFilter,
  window: CursorWindow,
): Promise<MemberView[]> {
  const { where, ...page } = newestFirst(window);
  const rows = await ctx.db.membership.findMany({
    ...page,
    where: { ...where, ...chosen(filter) },
    include: memberInclude,
  });
  return rows.map(memberView);
}

/** How many there are, as far as anybody counts. */
export function countMembers(ctx: Context, filter: MemberFilter): Promise<number> {
  return ctx.db.membership.count({ where: chosen(filter), take: MOST_COUNTED });
}

const chosen = (filter: MemberFilter) => ({
  ...(filter.role && { role: filter.role }),
  ...(filter.status && { status: filter.status }),
  ...(filter.search?.trim() && peopleMatching(filter.search.trim())),
});

/** By what is shown and nothing else, or searching would give it away: the database keeps it, in lower case (migration search). */
export const peopleMatching = (search: string) => ({ shown: { contains: escapeLike(lowerCase(search)) } });

/** One membership of the caller's center: an ADMIN sees all of them, others their own. */
export async function findMember(ctx: Context, id: string): Promise<MemberView | null> {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || !principal.center.open) return null;
  const all = principal.center.role === 'ADMIN';
  const row = await ctx.db.membership.findUnique({
    where: { id, ...(!all && { actorId: { in: principal.familyIds } }) },
    include: memberInclude,
  });
  return row && memberView(row);
}
