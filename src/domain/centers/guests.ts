import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { shownEmailOf } from '../identity/reach.ts';
import { peopleMatching } from '../memberships/list.ts';
import { wardIds } from './booking-rights.ts';

const MOST_SHOWN = 20;

/** A person for whom the caller can book. */
export interface Guest {
  actorId: string;
  name: string;
  role: ActorRole;
  /** Shown to ADMINs, to distinguish people with the same name. */
  email: string | null;
}

/**
 * The active members for whom the caller can book, searched by name: staff books for all, a PARENT for themself and their
 * children. For an ADMIN the search also covers the other fields of the member list. Only ADMINs see that list, so other
 * searches must not reveal its contents.
 */
export async function findGuests(
  ctx: Context,
  search: string,
  role: ActorRole | null = null,
): Promise<Guest[]> {
  const { center } = currentActor(ctx);
  const isAdmin = center.open && center.role === 'ADMIN';
  const words = search.trim();
  const byName = { actor: { name: { contains: escapeLike(words), mode: 'insensitive' as const } } };
  const rows = await ctx.db.membership.findMany({
    where: {
      status: 'ACTIVE',
      ...(role && { role }),
      actorId: center.open && center.role === 'PARENT' ? { in: await wardIds(ctx) } : { not: null },
      ...(words && peopleMatching(words)),
      ...(words && !isAdmin && byName),
    },
    select: {
      role: true,
      actor: { select: { id: true, name: true, email: true, contactEmail: true, homeCenterId: true } },
    },
    orderBy: { id: 'desc' },
    take: MOST_SHOWN,
  });
  return rows
    .map(({ role, actor }) => ({
      actorId: actor!.id,
      name: actor!.name,
      role,
      email: isAdmin ? shownEmailOf(actor!) : null,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
