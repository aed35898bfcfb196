import { inviteMember, inviteMemberInput } from '../../domain/memberships/invitation.ts';
import { countMembers, listMembers, memberFilter } from '../../domain/memberships/list.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { inputArg, inputType } from '../input-types.ts';
import { counted } from '../paging.ts';
import { Membership } from './membership.ts';

const MemberFilter = inputType('MemberFilter', memberFilter, {
  description: 'Which memberships to list. All conditions must match.',
  types: { role: ActorRole, status: MembershipStatus },
});

const InviteMemberInput = inputType('InviteMemberInput', inviteMemberInput, {
  description: 'An invitation to the current center.',
  types: { role: ActorRole },
});

builder.queryField('members', (t) =>
  t.connection(
    {
      type: Membership,
      description: "The center's memberships, newest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { roles: ['ADMIN'] } },
      args: {
        filter: t.arg({ type: MemberFilter, description: 'Filters. Default: all memberships.' }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('mbr', args, (window) => listMembers(ctx, filter ?? {}, window))),
        totalCount: () => countMembers(ctx, filter ?? {}),
      }),
    },
    counted(),
  ),
);

builder.mutationField('inviteMember', (t) =>
  t.field({
    type: Membership,
    description: 'Invites a person to the current center by mail.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(InviteMemberInput, 'The email address and the role.'),
    resolve: (_, { input }, ctx) => inviteMember(ctx, input),
  }),
);
