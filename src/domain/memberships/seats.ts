import type { Prisma, Tx } from '../../db/database.ts';
import type { Membership } from '../../db/generated/prisma/client.ts';
import { sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';

/** Serializes membership changes within one center, so that the counts they read stay true until they commit. */
export async function lockCenter(tx: Tx, centerId: number): Promise<void> {
  await LOCK_CENTER.run(tx, { centerId });
}

const LOCK_CENTER = sql('lock_center')`SELECT FROM center WHERE id = $centerId FOR NO KEY UPDATE`;
const LOCK_SEATS = sql('lock_seats', { seatLimit: 'int' })`
  SELECT seat_limit AS "seatLimit" FROM subscription WHERE center_id = $centerId FOR UPDATE`;

/**
 * Throws unless one more active membership fits the subscription. Its row stays locked until the commit, so that no other
 * approval or plan change can interfere. A center without a subscription has no limit.
 */
export async function takeSeat(tx: Tx, centerId: number): Promise<void> {
  const [subscription] = await LOCK_SEATS.rows(tx, { centerId });
  if (!subscription) return;
  const { seatLimit } = subscription;
  const seatUsed = await tx.membership.count({ where: { centerId, status: 'ACTIVE' } });
  if (seatUsed < seatLimit) return;
  throw new DomainError(
    'CONFLICT',
    `All ${seatLimit} seats of the subscription are taken; end a membership or choose a larger plan.`,
    {
      details: { seatLimit, seatUsed },
    },
  );
}

/** The ADMINs who can act: the account of a member can be suspended while the membership is ACTIVE. */
export const activeAdmin = {
  role: 'ADMIN',
  status: 'ACTIVE',
  actor: { suspendedAt: null },
} satisfies Prisma.MembershipWhereInput;

/**
 * A center must stay manageable: its last active ADMIN can be neither suspended nor ended. While it requires its identity
 * provider, that also holds for the last one with emergency access.
 */
export async function requireRemainingAdmin(
  tx: Tx,
  leaving: Pick<Membership, 'id' | 'centerId' | 'emergencyAccess'>,
): Promise<void> {
  const others = await tx.membership.count({
    where: { ...activeAdmin, centerId: leaving.centerId, id: { not: leaving.id } },
  });
  if (others === 0) {
    throw new DomainError(
      'CONFLICT',
      'This is the last active ADMIN of the center; approve another one first.',
    );
  }
  await requireRemainingEmergencyAdmin(tx, leaving);
}

/** The ADMINs who can enter with a password although the center requires its identity provider. */
export const emergencyAdmin = {
  role: 'ADMIN',
  status: 'ACTIVE',
  emergencyAccess: true,
  actor: { suspendedAt: null, passwordHash: { not: null } },
} satisfies Prisma.MembershipWhereInput;

/** A provider that fails must not lock a center out: one marked ADMIN remains while the provider is required. */
export async function requireRemainingEmergencyAdmin(
  tx: Tx,
  { id, centerId, emergencyAccess }: Pick<Membership, 'id' | 'centerId' | 'emergencyAccess'>,
): Promise<void> {
  if (!emergencyAccess) return;
  const provider = await tx.identityProvider.findUnique({ where: { centerId }, select: { required: true } });
  if (!provider?.required) return;
  const others = await tx.membership.count({ where: { ...emergencyAdmin, centerId, id: { not: id } } });
  if (others > 0) return;
  throw new DomainError(
    'CONFLICT',
    'This is the last ADMIN with emergency access while the center requires its identity provider; mark another one first.',
  );
}

/** A partner sets its centers up. Once one has an active ADMIN, only its ADMINs change roles and admit further ADMINs. */
export async function requireNoAdmin(tx: Tx, centerId: number): Promise<void> {
  const admins = await tx.membership.count({ where: { ...activeAdmin, centerId } });
  if (admins === 0) return;
  throw new DomainError(
    'INSUFFICIENT_ROLE',
    'The center has an active ADMIN, so its partner cannot change roles or admit an ADMIN there.',
  );
}
