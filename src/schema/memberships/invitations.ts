import {
  acceptInvitation,
  acceptInvitationInput,
  type InvitationOffer as InvitationOfferShape,
  invitationToken,
  readInvitation,
} from '../../domain/memberships/accept-invitation.ts';
import { withdrawInvitation } from '../../domain/memberships/change-status.ts';
import { resendInvitation } from '../../domain/memberships/invitation.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { ActorRole } from '../enums.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { MembershipApprover } from './approver.ts';
import { Membership } from './membership.ts';
import { MembershipMoveInput } from './transitions.ts';

const InvitationOffer = builder.objectRef<InvitationOfferShape>('InvitationOffer').implement({
  description: 'Information about an invitation before it is answered.',
  fields: (t) => ({
    ...properties(t, {
      centerName: ['String', 'The name of the center that invites.'],
      centerDomain: ['String', 'The domain slug of the center.'],
      role: [ActorRole, 'What the person may do in the center.'],
      email: ['String?', 'The address that the invitation was mailed to; null if there is none.'],
      name: [
        'String?',
        'The name of the person in the invitation or in their account; null if neither has one.',
      ],
      needsPassword: ['Boolean', 'Whether the person has no password yet and must choose one to accept.'],
      expiresAt: ['DateTime', 'When the mailed link stops working, in UTC.'],
      approver: [MembershipApprover, 'Who approves the membership after it was accepted.'],
    }),
    centerVertical: t.field(centerVertical),
  }),
});

const ReadInvitationInput = inputType('ReadInvitationInput', invitationToken, {
  description: 'The token of the mailed link.',
});

const AcceptInvitationInput = inputType('AcceptInvitationInput', acceptInvitationInput, {
  description: 'The token from the mailed link and, for a new person, a password and a name.',
});

builder.mutationFields((t) => ({
  readInvitation: t.field({
    type: InvitationOffer,
    description: 'Reads an invitation with its mailed link. The link remains valid.',
    authScopes: { access: { public: true } },
    args: inputArg(ReadInvitationInput, 'The part of the mailed link after the #.'),
    resolve: (_, { input }, ctx) => readInvitation(ctx, input.token),
  }),
  acceptInvitation: t.field({
    type: Membership,
    description:
      'Accepts an invitation with its mailed link, once: INVITED becomes PENDING. Creates an account for a new person.',
    authScopes: { access: { public: true } },
    args: inputArg(AcceptInvitationInput, 'The token of the link, and name and password of a new person.'),
    resolve: (_, { input }, ctx) => acceptInvitation(ctx, input),
  }),
  // Permission depends on the membership itself, so the domain checks it (see authority.ts).
  resendInvitation: t.field({
    type: Membership,
    description: 'Resends an invitation. The previous link becomes invalid.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(MembershipMoveInput, 'The membership, which must be INVITED.'),
    resolve: (_, { input }, ctx) => resendInvitation(ctx, input.membershipId),
  }),
  withdrawInvitation: t.field({
    type: Membership,
    description: 'Withdraws an open invitation: INVITED becomes REJECTED.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(MembershipMoveInput, 'The membership, which must be INVITED.'),
    resolve: (_, { input }, ctx) => withdrawInvitation(ctx, input.membershipId),
  }),
}));
