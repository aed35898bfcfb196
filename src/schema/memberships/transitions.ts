import { invitationToken } from '../../domain/memberships/accept-invitation.ts';
import { changeMemberRole, changeMemberRoleInput } from '../../domain/memberships/change-role.ts';
import {
  applyTransition,
  membershipRef,
  moveMembership,
  moveMembershipInput,
} from '../../domain/memberships/change-status.ts';
import {
  confirmRoleChange,
  type RoleChangeOffer as RoleChangeOfferShape,
  readRoleChange,
} from '../../domain/memberships/confirm-role.ts';
import type { MembershipTransition } from '../../domain/memberships/transitions.ts';
import { builder } from '../builder.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { Membership } from './membership.ts';

export const MembershipMoveInput = builder
  .inputType('MembershipMoveInput', {
    description: 'A membership whose status shall change.',
    fields: (t) => ({
      membershipId: t.id({ required: true, description: 'The id of the membership to change.' }),
    }),
  })
  .validate(membershipRef);

const MoveMembershipInput = builder
  .inputType('MoveMembershipInput', {
    description: 'A membership, and the status that it shall have.',
    fields: (t) => ({
      membershipId: t.id({ required: true, description: 'The id of the membership to change.' }),
      to: t.field({ type: MembershipStatus, required: true, description: 'Where it shall stand.' }),
    }),
  })
  .validate(moveMembershipInput);

const transitions: Record<MembershipTransition, string> = {
  accept: 'The invited person accepts, signed in with the address that was invited: INVITED becomes PENDING.',
  approve: 'Lets a person in: PENDING becomes ACTIVE, if the subscription has a free seat.',
  reject: 'Turns a person down, or the invited person declines: INVITED or PENDING becomes REJECTED.',
  suspend: 'Locks a person out for a while: ACTIVE becomes SUSPENDED. Not the last active ADMIN.',
  reinstate: 'Lets a suspended person in again: SUSPENDED becomes ACTIVE, if there is a free seat.',
  end: 'Ends a membership for good: ACTIVE or SUSPENDED becomes ENDED. Not the last active ADMIN.',
};

// Who may make which move depends on the membership itself, so the domain decides it (see authority.ts).
for (const [move, description] of Object.entries(transitions) as [MembershipTransition, string][]) {
  builder.mutationField(`${move}Membership`, (t) =>
    t.field({
      type: Membership,
      description,
      authScopes: { access: { signedIn: true } },
      args: {
        input: t.arg({
          type: MembershipMoveInput,
          required: true,
          description: 'Which membership to change.',
        }),
      },
      resolve: (_, { input }, ctx) => applyTransition(ctx, String(input.membershipId), move),
    }),
  );
}

builder.mutationField('moveMembership', (t) =>
  t.field({
    type: Membership,
    description: 'Makes whichever move leads to the status; CONFLICT where none does.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: MoveMembershipInput,
        required: true,
        description: 'Which membership, and the status it shall have.',
      }),
    },
    resolve: (_, { input }, ctx) => moveMembership(ctx, input),
  }),
);

const ChangeMemberRoleInput = builder
  .inputType('ChangeMemberRoleInput', {
    description: 'A membership and the role it shall have.',
    fields: (t) => ({
      membershipId: t.id({ required: true, description: 'The id of the membership to change.' }),
      role: t.field({ type: ActorRole, required: true, description: 'What the person shall be.' }),
    }),
  })
  .validate(changeMemberRoleInput);

builder.mutationField('changeMemberRole', (t) =>
  t.field({
    type: Membership,
    description:
      'Gives a member another role. Not the last active ADMIN; not while an invitation waits. CHILD waits as ' +
      '`pendingRole` until the person has confirmed it through a mailed link.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: ChangeMemberRoleInput,
        required: true,
        description: 'Which membership, and the role it shall have.',
      }),
    },
    resolve: (_, { input }, ctx) => changeMemberRole(ctx, input),
  }),
);

const RoleChangeOffer = builder.objectRef<RoleChangeOfferShape>('RoleChangeOffer').implement({
  description: 'What a member may know of a change of role before they confirm it.',
  fields: (t) => ({
    centerName: t.exposeString('centerName', { description: 'What the center that asks is called.' }),
    centerDomain: t.exposeString('centerDomain', {
      description: 'The slug that names the center in addresses.',
    }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is there now.' }),
    pendingRole: t.expose('pendingRole', { type: ActorRole, description: 'What the person is to be.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link stops working.' }),
  }),
});

const RoleChangeInput = builder
  .inputType('RoleChangeInput', {
    description: 'What the mailed link carries.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'What stands behind the # of the link.' }),
    }),
  })
  .validate(invitationToken);

builder.mutationFields((t) => ({
  readRoleChange: t.field({
    type: RoleChangeOffer,
    description: 'Looks at a change of role by its mailed link, which goes on working.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({ type: RoleChangeInput, required: true, description: 'What the mailed link carries.' }),
    },
    resolve: (_, { input }, ctx) => readRoleChange(ctx, input.token),
  }),
  confirmRoleChange: t.field({
    type: Membership,
    description: 'Confirms a change of role by its mailed link, once and within seven days.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({ type: RoleChangeInput, required: true, description: 'What the mailed link carries.' }),
    },
    resolve: (_, { input }, ctx) => confirmRoleChange(ctx, input.token),
  }),
}));
