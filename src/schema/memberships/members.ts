import { inviteMember, inviteMemberInput } from '../../domain/memberships/invitation.ts';
import { countMembers, listMembers, memberFilter } from '../../domain/memberships/list.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';
import { Membership } from './membership.ts';

const MemberFilter = builder
  .inputType('MemberFilter', {
    description: 'Filters for memberships.',
    fields: (t) => ({
      role: t.field({ type: ActorRole, description: 'Only those with this role.' }),
      status: t.field({ type: MembershipStatus, description: 'Only memberships with this status.' }),
      search: t.string({ description: 'Only people whose email or name contains this text.' }),
    }),
  })
  .validate(memberFilter);

const InviteMemberInput = builder
  .inputType('InviteMemberInput', {
    description: 'An invitation to the current center.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The address of the person.' }),
      name: t.string({ description: 'A provisional name, until the person accepts.' }),
      role: t.field({ type: ActorRole, required: true, description: 'The role.' }),
      specialties: t.stringList({ description: 'The specialties of an instructor.' }),
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
        filter: t.arg({ type: MemberFilter, description: 'Filters. Default: all memberships.' }),
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
    description: 'Invites a person to the current center by mail.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: InviteMemberInput,
        required: true,
        description: 'The email address and the role.',
      }),
    },
    resolve: (_, { input }, ctx) => inviteMember(ctx, input),
  }),
);
