import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { peopleMatching } from '../memberships/list.ts';
import { wardIds } from './booking-rights.ts';

const MOST_SHOWN = 20;

/** A person for whom the caller can book. */
export interface Guest {
  actorId: string;
  name: string;
  role: ActorRole;
  /** Told to ADMINs, to distinguish people of the same name. */
  email: string | null;
}

/**
 * The active members for whom the caller can book, found by name: staff books for all, a PARENT for itself and its children.
 * An ADMIN also finds them by what else the list of members shows; only ADMINs see that list, so a search must not reveal
 * what is in it.
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
    select: { role: true, actor: { select: { id: true, name: true, email: true } } },
    orderBy: { id: 'desc' },
    take: MOST_SHOWN,
  });
  return rows
    .map(({ role, actor }) => ({
      actorId: actor!.id,
      name: actor!.name,
      role,
      email: isAdmin ? actor!.email : null,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
