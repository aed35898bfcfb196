import type { Tx } from '../../db/database.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import { addresseeColumns, mailAddressesOf } from '../email-domains/mail-address.ts';
import { activeAdmin } from './seats.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

/** Who approves the members of a center: its own administrators, else its partner, else the operator of the service. */
export interface Approver {
  kind: 'CENTER' | 'PARTNER' | 'PLATFORM';
  /** The name of the center or the partner; for the operator, the host of the service. */
  name: string;
}

/** Enough to be noticed, and few enough that a center with many administrators floods no one. */
const MOST_MAILS = 10;

/** The approvers of several centers, by center number. */
export async function approversOf(
  { app }: Context,
  centerIds: number[],
  db: Tx = app.db.acrossTenants,
): Promise<Map<number, Approver>> {
  const centers = await db.center.findMany({
    where: { id: { in: centerIds } },
    select: { id: true, name: true, partner: { select: { id: true, name: true } } },
  });
  const administered = await db.membership.groupBy({
    by: ['centerId'],
    where: { ...activeAdmin, centerId: { in: centerIds } },
  });
  const partnerIds = centers.flatMap(({ partner }) => (partner ? [partner.id] : []));
  const staffed = await db.partnerMembership.groupBy({
    by: ['partnerId'],
    where: { partnerId: { in: partnerIds } },
  });
  const host = new URL(app.config.publicUrl).host;
  return new Map(
    centers.map(({ id, name, partner }): [number, Approver] => {
      if (administered.some(({ centerId }) => centerId === id)) return [id, { kind: 'CENTER', name }];
      const hasStaff = staffed.some(({ partnerId }) => partnerId === partner?.id);
      if (partner && hasStaff) return [id, { kind: 'PARTNER', name: partner.name }];
      return [id, { kind: 'PLATFORM', name: host }];
    }),
  );
}

interface Addressees {
  kind: Approver['kind'];
  addresses: string[];
}

/** Addresses to notify that a person waits for approval. That person is excluded. */
export async function addressesOfApprovers(tx: Tx, centerId: number, exceptId: string): Promise<Addressees> {
  const isOther = {
    id: { not: exceptId },
    suspendedAt: null,
    OR: [{ email: { not: null } }, { contactEmail: { not: null } }],
  };
  const { partnerId } = await tx.center.findUniqueOrThrow({
    where: { id: centerId },
    select: { partnerId: true },
  });
  const admins = { memberships: { some: { centerId, role: 'ADMIN' as const, status: 'ACTIVE' as const } } };
  const levels = [
    { kind: 'CENTER' as const, where: admins },
    ...(partnerId
      ? [{ kind: 'PARTNER' as const, where: { partnerMemberships: { some: { partnerId } } } }]
      : []),
    { kind: 'PLATFORM' as const, where: { platformAdmin: true } },
  ];
  for (const { kind, where } of levels) {
    const people = await tx.actor.findMany({
      where: { ...where, ...isOther },
      select: addresseeColumns,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MOST_MAILS,
    });
    if (people.length === 0) continue;
    const addresses = (await mailAddressesOf(tx, people)).filter((address) => address !== null);
    return { kind, addresses: [...new Set(addresses)] };
  }
  return { kind: 'PLATFORM', addresses: [] };
}

/** Members waiting for approval in centers without an active administrator, where no member can approve them. */
const stranded = {
  status: 'PENDING',
  center: { status: { not: 'INACTIVE' }, memberships: { none: activeAdmin } },
} as const;

export async function listStranded({ app }: Context, window: CursorWindow): Promise<MemberView[]> {
  const page = newestFirst(window, stranded);
  const rows = await app.db.acrossTenants.membership.findMany({ ...page, include: memberInclude });
  return rows.map(memberView);
}

export function countStranded({ app }: Context): Promise<number> {
  return app.db.acrossTenants.membership.count({ where: stranded });
}
