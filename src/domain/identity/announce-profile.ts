import { addresseeColumns, mailAddressesOf } from '../email-domains/mail-address.ts';
import type { ActorPrincipal } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

export interface ProfileChange {
  name: string;
  /** The name before the change; null if it stays the same. */
  nameBefore: string | null;
  /** When sealed records take the new name; null if they carry it already. */
  sealedFrom: Date | null;
  phoneChanged: boolean;
}

/**
 * Audits a change of profile in every center that knows the person or that they can act in, and mails it to the ADMINs there,
 * who might otherwise mistake the person for another member. The phone number itself is not kept.
 */
export async function announceProfile(
  work: Work,
  person: ActorPrincipal,
  { name, nameBefore, phoneChanged, ...change }: ProfileChange,
): Promise<void> {
  const memberships = await membershipsOf(work, person);
  const sealedFrom = change.sealedFrom?.toISOString() ?? null;
  const detail = {
    move: 'change_profile',
    ...(nameBefore !== null && { nameBefore, name, ...(sealedFrom && { sealedFrom }) }),
    ...(phoneChanged && { phone: 'changed' }),
  };
  const type = 'membership.moved' as const;
  for (const { id, centerId, status } of memberships) {
    work.audit({ type, target: id, centerId, detail: { from: status, to: status, ...detail } });
  }
  // No mail is sent then, but the platform's own chain records the names.
  if (memberships.length === 0) {
    work.audit({
      type,
      target: person.actorId,
      centerId: null,
      partnerId: person.partner?.id ?? null,
      detail,
    });
  }
  const admins = await work.db.membership.findMany({
    where: {
      centerId: { in: memberships.map(({ centerId }) => centerId) },
      role: 'ADMIN',
      status: 'ACTIVE',
      actorId: { not: null },
    },
    select: { centerId: true, actor: { select: addresseeColumns } },
    orderBy: { id: 'asc' },
  });
  for (const [centerId, ofCenter] of Map.groupBy(admins, (admin) => admin.centerId)) {
    const about = { centerId, actorId: person.actorId, nameBefore, name, sealedFrom, phoneChanged };
    const addresses = await mailAddressesOf(
      work.db,
      ofCenter.map(({ actor }) => actor!),
    );
    for (const to of new Set(addresses)) {
      if (to !== null) work.mail({ kind: 'profile_changed', to, centerId, about });
    }
  }
}

/**
 * One membership in each center: the person's own once the center knows them, or one of a related account, with whose rights
 * the person can act there. A center does not learn of its past members.
 */
async function membershipsOf({ db }: Work, { actorId, familyIds }: ActorPrincipal) {
  const rows = await db.membership.findMany({
    where: {
      OR: [
        { actorId, status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] } },
        { actorId: { in: familyIds }, status: 'ACTIVE' },
      ],
      center: { status: { not: 'INACTIVE' } },
    },
    select: { id: true, centerId: true, status: true, actorId: true },
    orderBy: [{ centerId: 'asc' }, { id: 'asc' }],
  });
  return [...Map.groupBy(rows, ({ centerId }) => centerId).values()].map(
    (ofCenter) => ofCenter.find((row) => row.actorId === actorId) ?? ofCenter[0]!,
  );
}
