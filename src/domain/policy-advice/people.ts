// The members who could fill the seats of a policy.
import { AUTHENTICATIONS, type Authentication } from '@countersign/proof-kit/guards';
import type { Quorum, Seat } from '@countersign/proof-kit/quorum';
import { type RowOf, sql } from '../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';

const PEOPLE = sql('people_for_policy', {
  actorId: 'uuid',
  name: 'text',
  isAdmin: 'boolean',
  groups: 'text[]',
})`
  SELECT m.actor_id AS "actorId", a.name, m.role = 'ADMIN' AS "isAdmin",
    ARRAY (SELECT g.group_id FROM approval_group_member g WHERE g.membership_id = m.id AND g.group_id = ANY ($groups)) AS groups
  FROM membership m JOIN actor a ON a.id = m.actor_id AND a.suspended_at IS NULL
  WHERE m.center_id = $centerId AND m.status = 'ACTIVE' AND (m.role = 'ADMIN' OR m.id IN (
    SELECT g.membership_id FROM approval_group_member g WHERE g.group_id = ANY ($groups)))
  ORDER BY a.name, m.id`;

export interface Person extends RowOf<typeof PEOPLE> {
  hasPasskey: boolean;
}

/** ACTIVE administrators of the caller's center, and ACTIVE members of these groups. */
export async function peopleIn(ctx: Context, groups: readonly string[]): Promise<Person[]> {
  const people = await PEOPLE.rows(ownRows(ctx), { centerId: currentCenterId(ctx), groups });
  const passkeys = await ctx.reads.acrossTenants.passkey.findMany({
    where: { actorId: { in: people.map(({ actorId }) => actorId) }, removedAt: null },
    distinct: ['actorId'],
    select: { actorId: true },
  });
  const owners = new Set(passkeys.map(({ actorId }) => actorId));
  return people.map((person) => ({ ...person, hasPasskey: owners.has(person.actorId) }));
}

/** A seat for any human is open to administrators and to members of the groups that the quorum names. */
export function isEntitled({ group }: Seat, { seats }: Quorum, { isAdmin, groups }: Person): boolean {
  if (group !== null) return groups.includes(group);
  return isAdmin || seats.some((seat) => seat.group !== null && groups.includes(seat.group));
}

/** The stronger of two authentications. */
export const stronger = (one: Authentication, other: Authentication): Authentication =>
  AUTHENTICATIONS[Math.max(AUTHENTICATIONS.indexOf(one), AUTHENTICATIONS.indexOf(other))]!;

/** Who can fill a place now; each place needs another person. */
export type Places = readonly (readonly string[])[];

/** How many of the places can be filled by different people (the augmenting paths of a bipartite matching). */
export function fillable(places: Places): number {
  const placeOf = new Map<string, number>();
  const assign = (place: number, tried: Set<string>): boolean => {
    for (const person of places[place]!) {
      if (tried.has(person)) continue;
      tried.add(person);
      const held = placeOf.get(person);
      if (held !== undefined && !assign(held, tried)) continue;
      placeOf.set(person, place);
      return true;
    }
    return false;
  };
  return places.filter((_, place) => assign(place, new Set())).length;
}
