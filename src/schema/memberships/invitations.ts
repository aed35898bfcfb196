import {
  acceptInvitation,
  acceptInvitationInput,
  type InvitationOffer as InvitationOfferShape,
  invitationToken,
  readInvitation,
} from '../../domain/memberships/accept-invitation.ts';
import { withdrawInvitation } from '../../domain/memberships/change-status.ts';
import { resendInvitation } from '../../domain/memberships/invite.ts';
import { builder } from '../builder.ts';
import { ActorRole } from '../enums.ts';
import { MembershipApprover } from './approver.ts';
import { Membership } from './membership.ts';
import { MembershipMoveInput } from './transitions.ts';

const InvitationOffer = builder.objectRef<InvitationOfferShape>('InvitationOffer').implement({
  description: 'What somebody who was invited may know before they answer.',
  fields: (t) => ({
    centerName: t.exposeString('centerName', { description: 'What the center that invites is called.' }),
    centerDomain: t.exposeString('centerDomain', {
      description: 'The slug that names the center in addresses.',
    }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is to be there.' }),
    email: t.exposeString('email', { nullable: true, description: 'The address that was invited.' }),
    name: t.exposeString('name', { nullable: true, description: 'What the person is called so far.' }),
    needsPassword: t.exposeBoolean('needsPassword', {
      description: 'Whether a password is to be chosen with accepting.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link stops working.' }),
    approver: t.field({
      type: MembershipApprover,
      description: 'Who approves the membership after it was accepted.',
      resolve: ({ approver }) => approver,
    }),
  }),
});

const ReadInvitationInput = builder
  .inputType('ReadInvitationInput', {
    description: 'What the mailed link carries.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'What stands behind the # of the link.' }),
    }),
  })
  .validate(invitationToken);

const AcceptInvitationInput = builder
  .inputType('AcceptInvitationInput', {
    description: 'What the mailed link carries and, for somebody new, a password and a name.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'What stands behind the # of the link.' }),
      password: t.string({
        description: '10 to 1024 characters. Needed by, and set for, a person who has none; else ignored.',
      }),
      name: t.string({ description: 'What a person who is new here wants to be called.' }),
    }),
  })
  .validate(acceptInvitationInput);

builder.mutationFields((t) => ({
  readInvitation: t.field({
    type: InvitationOffer,
    description: 'Looks at an invitation by its mailed link, which goes on working.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: ReadInvitationInput,
        required: true,
        description: 'What the mailed link carries.',
      }),
    },
    resolve: (_, { input }, ctx) => readInvitation(ctx, input.token),
  }),
  acceptInvitation: t.field({
    type: Membership,
    description:
      'Accepts an invitation by its mailed link, once: INVITED becomes PENDING. Whoever can read the mailbox ' +
      'is the person; somebody new gets an account by this.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: AcceptInvitationInput,
        required: true,
        description: 'What the mailed link carries, and who accepts.',
      }),
    },
    resolve: (_, { input }, ctx) => acceptInvitation(ctx, input),
  }),
  // Who may do the following depends on the membership itself, so the domain decides it (see authority.ts).
  resendInvitation: t.field({
    type: Membership,
    description: 'Mails an invitation once more; the link that was mailed before stops working.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: MembershipMoveInput,
        required: true,
        description: 'The membership that waits to be accepted.',
      }),
    },
    resolve: (_, { input }, ctx) => resendInvitation(ctx, String(input.membershipId)),
  }),
  withdrawInvitation: t.field({
    type: Membership,
    description: 'Takes back an invitation that nobody has answered: INVITED becomes REJECTED.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: MembershipMoveInput,
        required: true,
        description: 'The membership that waits to be accepted.',
      }),
    },
    resolve: (_, { input }, ctx) => withdrawInvitation(ctx, String(input.membershipId)),
  }),
}));
