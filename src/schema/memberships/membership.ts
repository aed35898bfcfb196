import { findMember } from '../../domain/memberships/list.ts';
import type { InvitationView, MemberView } from '../../domain/memberships/view.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { onlyProperties, orNull, properties } from '../exposed.ts';

const MailDelivery = enumType<'WAITING' | 'SENT' | 'FAILED' | 'DROPPED'>(
  'MailDelivery',
  'Whether a mail was sent.',
  {
    WAITING: 'Waiting to be sent or retried.',
    SENT: 'Accepted by the mail server.',
    FAILED: 'Failed after one day of attempts.',
    DROPPED: 'Replaced by a newer mail before it was sent.',
  },
);

const InvitationState = builder.objectRef<InvitationView>('InvitationState').implement({
  description: 'How the mail with the invitation is doing.',
  fields: onlyProperties({
    delivery: [MailDelivery, 'Whether the mail was sent.'],
    sentAt: ['DateTime?', 'When the mail server accepted it, in UTC; null until then.'],
    expiresAt: ['DateTime?', 'When the mailed link stops working, in UTC; null until the mail is sent.'],
  }),
});

const MembershipRef = builder.objectRef<MemberView>('Membership');

export const Membership = builder.node(MembershipRef, {
  id: { resolve: ({ id }) => id, description: 'The id of the membership, `mbr_…`.' },
  loadOne: (id, ctx) => findMember(ctx, id),
  description: 'The membership of a person in a center, with a role.',
  fields: (t) => ({
    ...properties(t, {
      centerId: ['Int', 'The id of the center, a positive integer.'],
      centerName: ['String', 'The name of the center that people see.'],
      centerDomain: ['String', 'The domain slug of the center.'],
      role: [ActorRole, 'What the person may do in the center.'],
      status: [MembershipStatus, 'The status of the membership; only ACTIVE gives access.'],
      specialties: ['[String]', 'What an instructor specializes in; empty for other roles.'],
      invitedAt: ['DateTime', 'When the person was invited or added, in UTC.'],
      activatedAt: ['DateTime?', 'When it became ACTIVE for the first time, in UTC; null until then.'],
      endedAt: ['DateTime?', 'When the membership ended, in UTC; null if it has not.'],
      actorId: ['ID?', 'The id of the person, a UUID; null until they accept.'],
      name: ['String', 'The name of the person; until they accept, the name in the invitation.'],
      email: [
        'String?',
        'The email address of the person; until they accept, the invited one. Null if there is none.',
      ],
      phone: ['String?', 'The phone number of the person; null until they accept, and without one.'],
      pendingRole: [
        orNull(ActorRole),
        'A requested role that the person has not confirmed yet; null if there is none.',
      ],
      invitation: [
        orNull(InvitationState),
        "How the invitation's mail is doing; null once the invitation was answered.",
      ],
    }),
    centerVertical: t.field(centerVertical),
  }),
});
