import { findMember } from '../../domain/memberships/list.ts';
import type { InvitationView, MemberView } from '../../domain/memberships/view.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { onlyProperties, orNull, properties } from '../exposed.ts';

const MailDelivery = enumType<'WAITING' | 'SENT' | 'FAILED' | 'DROPPED'>(
  'MailDelivery',
  'The status of a mail.',
  {
    WAITING: 'Waiting to be sent or retried.',
    SENT: 'Accepted by the mail server.',
    FAILED: 'Failed after one day of attempts.',
    DROPPED: 'Replaced by a newer mail before it was sent.',
  },
);

const InvitationState = builder.objectRef<InvitationView>('InvitationState').implement({
  description: 'The status of an invitation mail.',
  fields: onlyProperties({
    delivery: [MailDelivery, 'The status of the mail.'],
    sentAt: ['DateTime?', 'When the mail server accepted it.'],
    expiresAt: ['DateTime?', 'When its link expires.'],
  }),
});

const MembershipRef = builder.objectRef<MemberView>('Membership');

export const Membership = builder.node(MembershipRef, {
  id: { resolve: ({ id }) => id, description: 'Globally unique id.' },
  loadOne: (id, ctx) => findMember(ctx, id),
  description: 'The membership of a person in a center, with a role.',
  fields: (t) => ({
    ...properties(t, {
      centerId: ['Int', 'The id of the center.'],
      centerName: ['String', 'The name of the center.'],
      centerDomain: ['String', "The center's domain slug."],
      role: [ActorRole, 'The role.'],
      status: [MembershipStatus, 'The status of the membership.'],
      specialties: ['[String]', 'The specialties of an instructor.'],
      invitedAt: ['DateTime', 'When the person was invited.'],
      activatedAt: ['DateTime?', 'When it was approved, or null.'],
      endedAt: ['DateTime?', 'When it ended, or null.'],
      actorId: ['ID?', 'The id of the person; null until they accept.'],
      name: ['String', "The person's name; until they accept, the name in the invitation."],
      email: ['String?', "The person's email address; until they accept, the invited one."],
      phone: ['String?', "The person's phone number; not shown until they accept."],
      pendingRole: [orNull(ActorRole), 'A requested role that the person has not confirmed yet.'],
      invitation: [
        orNull(InvitationState),
        'The status of the invitation mail while the invitation is open.',
      ],
    }),
    centerVertical: t.field(centerVertical),
  }),
});
