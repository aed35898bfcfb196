import { findMember } from '../../domain/memberships/list.ts';
import type { InvitationView, MemberView } from '../../domain/memberships/view.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';

const MailDelivery = builder.enumType('MailDelivery', {
  description: 'What has become of a mail: it waits, was sent, was given up, or was replaced.',
  values: worded<'WAITING' | 'SENT' | 'FAILED' | 'DROPPED'>({
    WAITING: 'It is still to be sent, or tried again.',
    SENT: 'The mail server has taken it.',
    FAILED: 'It was given up after a day of attempts.',
    DROPPED: 'A newer mail took its place before it was sent.',
  }),
});

const InvitationState = builder.objectRef<InvitationView>('InvitationState').implement({
  description: 'How the mail of an invitation stands.',
  fields: (t) => ({
    delivery: t.expose('delivery', { type: MailDelivery, description: 'Whether it is on its way.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server took it.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its link stops working.',
    }),
  }),
});

const MembershipRef = builder.objectRef<MemberView>('Membership');

export const Membership = builder.node(MembershipRef, {
  id: { resolve: ({ id }) => id, description: 'Its id, unique among everything there is.' },
  loadOne: (id, ctx) => findMember(ctx, id),
  description: 'Binds a person to a center with a role.',
  fields: (t) => ({
    centerId: t.exposeInt('centerId', { description: 'The number of the center.' }),
    centerName: t.exposeString('centerName', { description: 'What the center is called.' }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is there.' }),
    pendingRole: t.expose('pendingRole', {
      type: ActorRole,
      nullable: true,
      description: 'The role that the center asked for and the person has not confirmed yet.',
    }),
    status: t.expose('status', { type: MembershipStatus, description: 'Where the membership stands.' }),
    specialties: t.exposeStringList('specialties', { description: 'What an instructor is good at.' }),
    invitedAt: t.expose('invitedAt', { type: 'DateTime', description: 'When the person was invited.' }),
    activatedAt: t.expose('activatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was approved, if it has been.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, if it has.',
    }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'Names the person; null until they accept.',
    }),
    name: t.exposeString('name', {
      description: "The person's name; until they accept, what the inviter typed.",
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: "The person's address; until they accept, the one that was invited.",
    }),
    phone: t.exposeString('phone', {
      nullable: true,
      description: "The person's phone number; not shown until they accept.",
    }),
    invitation: t.field({
      type: InvitationState,
      nullable: true,
      description: 'How its mail stands, while it waits to be accepted.',
      resolve: ({ invitation }) => invitation,
    }),
  }),
});
