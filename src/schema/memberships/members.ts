import { inviteMember, inviteMemberInput } from '../../domain/memberships/invite.ts';
import { countMembers, listMembers, memberFilter } from '../../domain/memberships/list.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';
import { Membership } from './membership.ts';

const MemberFilter = builder
  .inputType('MemberFilter', {
    description: 'Which memberships to show.',
    fields: (t) => ({
      role: t.field({ type: ActorRole, description: 'Only those with this role.' }),
      status: t.field({ type: MembershipStatus, description: 'Only those that stand here.' }),
      search: t.string({ description: 'Only people whose address or name contains this.' }),
    }),
  })
  .validate(memberFilter);

const InviteMemberInput = builder
  .inputType('InviteMemberInput', {
    description: 'A person to invite into the current center.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The address of the person.' }),
      name: t.string({ description: 'What to call them until they accept.' }),
      role: t.field({ type: ActorRole, required: true, description: 'What the person will be.' }),
      specialties: t.stringList({ description: 'What an instructor is good at.' }),
    }),
  })
  .validate(inviteMemberInput);

builder.queryField('members', (t) =>
  t.connection(
    {
      type: Membership,
      description: "The center's memberships, newest first.",
      authScopes: { access: { roles: ['ADMIN'] } },
      args: {
        filter: t.arg({ type: MemberFilter, description: 'Which memberships to list; all when left out.' }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('mbr', args, (window) => listMembers(ctx, filter ?? {}, window))),
        totalCount: () => countMembers(ctx, filter ?? {}),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);

builder.mutationField('inviteMember', (t) =>
  t.field({
    type: Membership,
    description: 'Invites whoever owns an address into the current center, by mail.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: InviteMemberInput,
        required: true,
        description: 'The address, and what the person will be.',
      }),
    },
    resolve: (_, { input }, ctx) => inviteMember(ctx, input),
  }),
);
