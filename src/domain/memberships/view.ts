import type { Prisma } from '../../db/database.ts';
import { shownEmailOf } from '../identity/reach.ts';
import { INVITATION_DAYS } from '../mail/link-token.ts';

/** The relations to load for displaying a membership. */
export const memberInclude = {
  actor: {
    select: {
      name: true,
      email: true,
      phone: true,
      contactPhone: true,
      homeCenterId: true,
      contactEmail: true,
    },
  },
  center: { select: { name: true, centerDomain: true, partnerId: true } },
  mails: { orderBy: { createdAt: 'desc' }, take: 1 },
} satisfies Prisma.MembershipInclude;

export type MemberRow = Prisma.MembershipGetPayload<{ include: typeof memberInclude }>;

/** Columns that no view needs. */
type Unshown =
  | 'partnerRole'
  | 'partnerId'
  | 'childConsentAt'
  | 'shown'
  | 'firstStepsDismissedAt'
  | 'updatedAt'
  | 'suspendedByDirectory';

/** The part of a membership that a view needs. */
export interface ShownRow extends Omit<MemberRow, Unshown | 'center' | 'mails'> {
  center: Pick<MemberRow['center'], 'name' | 'centerDomain'>;
  /** The newest one. */
  mails: Pick<MemberRow['mails'][number], 'status' | 'doneAt'>[];
}

/** The state of an invitation's mail. */
export interface InvitationView {
  delivery: 'WAITING' | 'SENT' | 'FAILED' | 'DROPPED';
  sentAt: Date | null;
  /** When its link stops working. */
  expiresAt: Date | null;
}

/** A membership with its person and center. */
export interface MemberView
  extends Omit<ShownRow, 'actor' | 'center' | 'mails' | 'invitedEmail' | 'invitedName' | 'acceptedAt'> {
  centerName: string;
  centerDomain: string;
  /** Null until the person has accepted. */
  actorId: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  /** Only while it waits to be accepted. */
  invitation: InvitationView | null;
}

/** Statuses without the person's consent. */
const UNANSWERED = ['INVITED', 'REJECTED'] as const;

/** Whether a center may see the person of a membership: only after the person has accepted once. */
function hasAccepted({ status, acceptedAt }: ShownRow): boolean {
  return acceptedAt !== null || !UNANSWERED.some((each) => each === status);
}

/** Until the person accepts, a center sees only what it typed itself, and nothing of any account. */
function personOf(row: ShownRow) {
  const { actorId, actor, invitedEmail, invitedName } = row;
  if (!actor || !hasAccepted(row)) {
    return { actorId: null, name: invitedName ?? invitedEmail ?? '', email: invitedEmail, phone: null };
  }
  const { name, phone, contactPhone } = actor;
  return { actorId, name, email: shownEmailOf(actor), phone: contactPhone ?? phone };
}

export function memberView(row: ShownRow): MemberView {
  const { id, centerId, role, pendingRole, status, specialties, invitedAt, activatedAt, endedAt, center } =
    row;
  const { emergencyAccess } = row;
  return {
    id,
    centerId,
    role,
    pendingRole,
    status,
    specialties,
    emergencyAccess,
    invitedAt,
    activatedAt,
    endedAt,
    centerName: center.name,
    centerDomain: center.centerDomain,
    ...personOf(row),
    invitation: invitationOf(row),
  };
}

function invitationOf({ status, mails: [mail] }: ShownRow): InvitationView | null {
  if (status !== 'INVITED' || !mail) return null;
  const sentAt = mail.status === 'SENT' ? mail.doneAt : null;
  const expiresAt = sentAt && new Date(sentAt.getTime() + INVITATION_DAYS * 86_400_000);
  return { delivery: mail.status, sentAt, expiresAt };
}
