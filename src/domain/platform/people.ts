import type { Prisma } from '../../db/database.ts';
import { requireFound } from '../../lib/errors.ts';
import { type CursorWindow, MOST_COUNTED, oldestFirst } from '../../lib/paging.ts';
import { escapeLike } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { activeAdmin } from '../memberships/seats.ts';

/** An account as operators see it: who it is and where it belongs, but nothing about its activity. */
const shown = {
  id: true,
  name: true,
  email: true,
  phone: true,
  platformAdmin: true,
  suspendedAt: true,
  createdAt: true,
  memberships: {
    select: { id: true, role: true, status: true, center: { select: { id: true, name: true } } },
    orderBy: { id: 'asc' },
    take: 20,
  },
  partnerMemberships: { select: { role: true, partner: { select: { id: true, name: true } } } },
} satisfies Prisma.ActorSelect;

export type PlatformPerson = Prisma.ActorGetPayload<{ select: typeof shown }>;

function matching(search: string | null | undefined): Prisma.ActorWhereInput {
  const words = search?.trim();
  if (!words) return {};
  const contains = { contains: escapeLike(words), mode: 'insensitive' as const };
  return { OR: [{ name: contains }, { email: contains }] };
}

/** A page of all accounts, ordered by id. */
export function sliceOfPeople(
  { app }: Context,
  search: string | null | undefined,
  window: CursorWindow,
): Promise<PlatformPerson[]> {
  return app.db.acrossTenants.actor.findMany({ ...oldestFirst(window, matching(search)), select: shown });
}

export function countPeople({ app }: Context, search: string | null | undefined): Promise<number> {
  return app.db.acrossTenants.actor.count({ where: matching(search), take: MOST_COUNTED });
}

export async function readPerson({ app }: Context, id: string): Promise<PlatformPerson> {
  const person = await app.db.acrossTenants.actor.findUnique({ where: { id }, select: shown });
  return requireFound(person, 'Account not found.');
}

/** How many sessions of a person are active. */
export function countSessions({ app, now }: Context, actorId: string): Promise<number> {
  return app.db.acrossTenants.session.count({
    where: { actorId, revokedAt: null, expiresAt: { gt: now } },
  });
}

/** The first 20 memberships in centers that have no other ADMIN who can act. */
export function onlyAdminMemberships({ app }: Context, actorId: string) {
  return app.db.acrossTenants.membership.findMany({
    where: onlyAdminOf(actorId),
    ...shown.memberships,
  });
}

/** A person is the only ADMIN of a center if no other ADMIN there can act. */
export const onlyAdminOf = (actorId: string): Prisma.MembershipWhereInput => ({
  actorId,
  role: 'ADMIN',
  status: 'ACTIVE',
  center: {
    status: { not: 'INACTIVE' },
    memberships: { none: { ...activeAdmin, actorId: { not: actorId } } },
  },
});

const holder = {
  actor: { select: { id: true, name: true, email: true } },
} satisfies Prisma.PartnerMembershipInclude;

export type PartnerAccountHolder = Prisma.PartnerMembershipGetPayload<{ include: typeof holder }>;

/** The accounts of partners, oldest first. */
export async function accountsOf(
  { app }: Context,
  partnerIds: string[],
): Promise<Map<string, PartnerAccountHolder[]>> {
  const rows = await app.db.acrossTenants.partnerMembership.findMany({
    where: { partnerId: { in: partnerIds } },
    include: holder,
    orderBy: { createdAt: 'asc' },
  });
  return Map.groupBy(rows, ({ partnerId }) => partnerId);
}
