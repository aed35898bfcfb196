import type { Prisma, Tx } from '../../db/database.ts';
import { loadFamilyIds } from '../identity/load-family.ts';
import { UNKNOWN_YET } from './view.ts';

/** Somebody who can sign in answers for themselves, and opens their whole family's doors with it. */
const CAN_SIGN_IN: Prisma.ActorWhereInput = { passwordHash: { not: null } };

/** What a center must not get at by way of a person: their office with a partner or with the platform. */
const HOLDS_OFFICE: Prisma.ActorWhereInput[] = [
  { platformAdmin: true },
  { partnerMemberships: { some: {} } },
];

/** Whether the person is this center's alone: nobody of the family can sign in or is known anywhere else. */
export function isNewcomer(db: Tx, actorId: string, centerId: number): Promise<boolean> {
  const elsewhere = { memberships: { some: { centerId: { not: centerId } } } };
  return holdsForNobody(db, actorId, [CAN_SIGN_IN, ...HOLDS_OFFICE, elsewhere]);
}

/**
 * Whether a center may hand a person the key to an account. Unanswered invitations of other centers open nothing and do
 * not stand in the way; whatever else the family holds elsewhere does, because the key would open that too. The
 * platform may vouch for everybody who has no account yet.
 */
export function mayVouchFor(
  db: Tx,
  actorId: string,
  voucher: { centerId: number; byPlatform: boolean },
): Promise<boolean> {
  const taken = { centerId: { not: voucher.centerId }, status: { notIn: [...UNKNOWN_YET] } };
  const elsewhere = [...HOLDS_OFFICE, { memberships: { some: taken } }];
  return holdsForNobody(db, actorId, [CAN_SIGN_IN, ...(voucher.byPlatform ? [] : elsewhere)]);
}

async function holdsForNobody(db: Tx, actorId: string, facts: Prisma.ActorWhereInput[]): Promise<boolean> {
  const family = await loadFamilyIds(db, actorId);
  return (await db.actor.findFirst({ where: { id: { in: family }, OR: facts } })) === null;
}
