import type { Prisma } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
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

/** How many sessions of each person are active. */
export async function countSessions({ app, now }: Context, actorIds: string[]): Promise<Map<string, number>> {
  const counted = await app.db.acrossTenants.session.groupBy({
    by: ['actorId'],
    where: { actorId: { in: actorIds }, revokedAt: null, expiresAt: { gt: now } },
    _count: true,
  });
  return new Map(counted.map(({ actorId, _count }) => [actorId, _count]));
}

/** The first 20 memberships of each person in centers that have no other ADMIN who can act. */
export async function onlyAdminMemberships(
  { app }: Context,
  actorIds: string[],
): Promise<Map<string, PlatformPerson['memberships']>> {
  const first = await ONLY_ADMIN_OF.rows(app.db.declared('acrossTenants'), { actorIds });
  if (first.length === 0) return new Map();
  const { select, orderBy } = shown.memberships;
  const rows = await app.db.acrossTenants.membership.findMany({
    where: { id: { in: first.map(({ id }) => id) } },
    select: { ...select, actorId: true },
    orderBy,
  });
  return Map.groupBy(rows, ({ actorId }) => actorId ?? '');
}

/** The condition is that of `onlyAdminOf`, for several people at once. */
const ONLY_ADMIN_OF = sql('only_admin_of', { id: 'text' })`
  SELECT id FROM (
    SELECT m.id, row_number() OVER (PARTITION BY m.actor_id ORDER BY m.id) AS place
    FROM membership m JOIN center c ON c.id = m.center_id
    WHERE m.actor_id = ANY ($actorIds::uuid[]) AND m.role = 'ADMIN' AND m.status = 'ACTIVE' AND c.status <> 'INACTIVE'
      AND NOT EXISTS (
        SELECT FROM membership o JOIN actor a ON a.id = o.actor_id
        WHERE o.center_id = m.center_id AND o.actor_id <> m.actor_id AND o.role = 'ADMIN' AND o.status = 'ACTIVE'
          AND a.suspended_at IS NULL)
  ) sole
  WHERE place <= 20`;

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
