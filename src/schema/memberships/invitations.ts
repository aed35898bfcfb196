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
import { inputType } from '../input-types.ts';
import { MembershipApprover } from './approver.ts';
import { Membership } from './membership.ts';
import { MembershipMoveInput } from './transitions.ts';

const InvitationOffer = builder.objectRef<InvitationOfferShape>('InvitationOffer').implement({
  description: 'Information about an invitation before it is answered.',
  fields: (t) => ({
    centerName: t.exposeString('centerName', { description: 'The name of the inviting center.' }),
    centerDomain: t.exposeString('centerDomain', {
      description: 'The domain slug of the center.',
    }),
    centerVertical: t.field(centerVertical),
    role: t.expose('role', { type: ActorRole, description: 'The role in the center.' }),
    email: t.exposeString('email', { nullable: true, description: 'The invited email address.' }),
    name: t.exposeString('name', { nullable: true, description: 'The current name of the person.' }),
    needsPassword: t.exposeBoolean('needsPassword', {
      description: 'Whether a password is required to accept.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link expires.' }),
    approver: t.field({
      type: MembershipApprover,
      description: 'Who approves the membership after it was accepted.',
      resolve: ({ approver }) => approver,
    }),
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
    args: {
      input: t.arg({
        type: ReadInvitationInput,
        required: true,
        description: 'The token of the mailed link.',
      }),
    },
    resolve: (_, { input }, ctx) => readInvitation(ctx, input.token),
  }),
  acceptInvitation: t.field({
    type: Membership,
    description:
      'Accepts an invitation with its mailed link, once: INVITED becomes PENDING. Creates an account for a new person.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: AcceptInvitationInput,
        required: true,
        description: 'The token of the link, and name and password of a new person.',
      }),
    },
    resolve: (_, { input }, ctx) => acceptInvitation(ctx, input),
  }),
  // Permission depends on the membership itself, so the domain checks it (see authority.ts).
  resendInvitation: t.field({
    type: Membership,
    description: 'Resends an invitation. The previous link becomes invalid.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: MembershipMoveInput,
        required: true,
        description: 'The invited membership.',
      }),
    },
    resolve: (_, { input }, ctx) => resendInvitation(ctx, input.membershipId),
  }),
  withdrawInvitation: t.field({
    type: Membership,
    description: 'Withdraws an open invitation: INVITED becomes REJECTED.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: MembershipMoveInput,
        required: true,
        description: 'The invited membership.',
      }),
    },
    resolve: (_, { input }, ctx) => withdrawInvitation(ctx, input.membershipId),
  }),
}));
