import type { Prisma } from '../../db/database.ts';

/** What to load of a membership to show it. */
export const memberInclude = {
  actor: { select: { name: true, email: true, phone: true } },
  center: { select: { name: true, centerDomain: true, partnerId: true } },
} satisfies Prisma.MembershipInclude;

type MemberRow = Prisma.MembershipGetPayload<{ include: typeof memberInclude }>;

/** A membership with the person and the center it binds together. */
export type MemberView = Omit<MemberRow, 'actor' | 'center' | 'partnerId'> & {
  centerName: string;
  centerDomain: string;
  name: string;
  email: string | null;
  phone: string | null;
};

/** An invitation tells a center no more about a person than the address it was sent to. */
export const UNKNOWN_YET = ['INVITED', 'REJECTED'] as const;

export function memberView({ actor, center, ...membership }: MemberRow): MemberView {
  const unknown = UNKNOWN_YET.some((status) => status === membership.status);
  return {
    ...membership,
    centerName: center.name,
    centerDomain: center.centerDomain,
    email: actor.email,
    name: unknown ? (actor.email ?? '') : actor.name,
    phone: unknown ? null : actor.phone,
  };
}
