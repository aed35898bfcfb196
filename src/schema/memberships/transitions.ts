import { invitationToken } from '../../domain/memberships/accept-invitation.ts';
import {
  changeMemberRole,
  changeMemberRoleInput,
  confirmRoleChange,
  type RoleChangeOffer as RoleChangeOfferShape,
  readRoleChange,
} from '../../domain/memberships/change-role.ts';
import {
  applyTransition,
  membershipRef,
  moveMembership,
  moveMembershipInput,
} from '../../domain/memberships/change-status.ts';
import type { MembershipTransition } from '../../domain/memberships/transitions.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Membership } from './membership.ts';

export const MembershipMoveInput = inputType('MembershipMoveInput', membershipRef, {
  description: 'The membership that the operation changes.',
  types: { membershipId: 'ID' },
});

const MoveMembershipInput = inputType('MoveMembershipInput', moveMembershipInput, {
  description: 'A membership and the status to change it to.',
  types: { membershipId: 'ID', to: MembershipStatus },
});

const transitions: Record<MembershipTransition, string> = {
  accept:
    'Accepts an invitation. The caller must be signed in with the invited address: INVITED becomes PENDING.',
  approve: 'Approves a membership: PENDING becomes ACTIVE, if the subscription has a free seat.',
  reject: 'Rejects a membership, or declines an invitation: INVITED or PENDING becomes REJECTED.',
  suspend: 'Suspends a member: ACTIVE becomes SUSPENDED. Not allowed for the last active ADMIN.',
  reinstate: 'Reinstates a member: SUSPENDED becomes ACTIVE, if there is a free seat.',
  end: 'Ends a membership permanently: ACTIVE or SUSPENDED becomes ENDED. Not allowed for the last active ADMIN.',
};

// Permission depends on the membership itself, so the domain checks it (see authority.ts).
for (const [move, description] of Object.entries(transitions) as [MembershipTransition, string][]) {
  builder.mutationField(`${move}Membership`, (t) =>
    t.field({
      type: Membership,
      description,
      authScopes: { access: { signedIn: true } },
      args: inputArg(MembershipMoveInput, 'The membership, whose status must allow the operation.'),
      resolve: (_, { input }, ctx) => applyTransition(ctx, input.membershipId, move),
    }),
  );
}

builder.mutationField('moveMembership', (t) =>
  t.field({
    type: Membership,
    description: 'Changes a membership to the given status. CONFLICT if the transition is not allowed.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(MoveMembershipInput, 'The membership and the status to change it to.'),
    resolve: (_, { input }, ctx) => moveMembership(ctx, input),
  }),
);

const ChangeMemberRoleInput = inputType('ChangeMemberRoleInput', changeMemberRoleInput, {
  description: 'A membership and what its person may do from now on.',
  types: { membershipId: 'ID', role: ActorRole },
});

builder.mutationField('changeMemberRole', (t) =>
  t.field({
    type: Membership,
    description:
      'Gives a member another role. Not the last active ADMIN; not while an invitation waits. CHILD waits as ' +
      '`pendingRole` until the person has confirmed it through a mailed link.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(ChangeMemberRoleInput, 'The membership and what its person may do from now on.'),
    resolve: (_, { input }, ctx) => changeMemberRole(ctx, input),
  }),
);

const RoleChangeOffer = builder.objectRef<RoleChangeOfferShape>('RoleChangeOffer').implement({
  description: 'Information about a change of role before it is confirmed.',
  fields: (t) => ({
    ...properties(t, {
      centerName: ['String', 'The name of the center that requests the change.'],
      centerDomain: ['String', 'The domain slug of the center.'],
      role: [ActorRole, 'The role until the change is confirmed.'],
      pendingRole: [ActorRole, 'The role after the change is confirmed.'],
      expiresAt: ['DateTime', 'When the mailed link stops working, in UTC.'],
    }),
    centerVertical: t.field(centerVertical),
  }),
});

const RoleChangeInput = inputType('RoleChangeInput', invitationToken, {
  description: 'The token of the mailed link.',
});

builder.mutationFields((t) => ({
  readRoleChange: t.field({
    type: RoleChangeOffer,
    description: 'Reads a change of role with its mailed link. The link remains valid.',
    authScopes: { access: { public: true } },
    args: inputArg(RoleChangeInput, 'The part of the mailed link after the #.'),
    resolve: (_, { input }, ctx) => readRoleChange(ctx, input.token),
  }),
  confirmRoleChange: t.field({
    type: Membership,
    description: 'Confirms a change of role with its mailed link, once, within seven days.',
    authScopes: { access: { public: true } },
    args: inputArg(RoleChangeInput, 'The part of the mailed link after the #.'),
    resolve: (_, { input }, ctx) => confirmRoleChange(ctx, input.token),
  }),
}));
