import { findMember } from '../../domain/memberships/list.ts';
import type { InvitationView, MemberView } from '../../domain/memberships/view.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { describedValues } from '../enum-values.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';

const MailDelivery = builder.enumType('MailDelivery', {
  description: 'The status of a mail.',
  values: describedValues<'WAITING' | 'SENT' | 'FAILED' | 'DROPPED'>({
    WAITING: 'Waiting to be sent or retried.',
    SENT: 'Accepted by the mail server.',
    FAILED: 'Failed after one day of attempts.',
    DROPPED: 'Replaced by a newer mail before it was sent.',
  }),
});

const InvitationState = builder.objectRef<InvitationView>('InvitationState').implement({
  description: 'The status of an invitation mail.',
  fields: (t) => ({
    delivery: t.expose('delivery', { type: MailDelivery, description: 'The status of the mail.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server accepted it.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its link expires.',
    }),
  }),
});

const MembershipRef = builder.objectRef<MemberView>('Membership');

export const Membership = builder.node(MembershipRef, {
  id: { resolve: ({ id }) => id, description: 'Globally unique id.' },
  loadOne: (id, ctx) => findMember(ctx, id),
  description: 'The membership of a person in a center, with a role.',
  fields: (t) => ({
    centerId: t.exposeInt('centerId', { description: 'The id of the center.' }),
    centerName: t.exposeString('centerName', { description: 'The name of the center.' }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    centerVertical: t.field(centerVertical),
    role: t.expose('role', { type: ActorRole, description: 'The role.' }),
    pendingRole: t.expose('pendingRole', {
      type: ActorRole,
      nullable: true,
      description: 'A requested role that the person has not confirmed yet.',
    }),
    status: t.expose('status', { type: MembershipStatus, description: 'The status of the membership.' }),
    specialties: t.exposeStringList('specialties', { description: 'The specialties of an instructor.' }),
    invitedAt: t.expose('invitedAt', { type: 'DateTime', description: 'When the person was invited.' }),
    activatedAt: t.expose('activatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was approved, or null.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, or null.',
    }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'The id of the person; null until they accept.',
    }),
    name: t.exposeString('name', {
      description: "The person's name; until they accept, the name in the invitation.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: "The person's email address; until they accept, the invited one.",
    }),
    phone: t.exposeString('phone', {
      nullable: true,
      description: "The person's phone number; not shown until they accept.",
    }),
    invitation: t.field({
      type: InvitationState,
      nullable: true,
      description: 'The status of the invitation mail while the invitation is open.',
      resolve: ({ invitation }) => invitation,
    }),
  }),
});
