import type { ApprovalGroup } from '../../db/generated/prisma/client.ts';
import {
  createGroup,
  createGroupInput,
  deleteGroup,
  groupMembersInput,
  groupSourceInput,
  listGroups,
  membersOfGroups,
  renameGroup,
  renameGroupInput,
  setGroupMembers,
  setGroupSource,
} from '../../domain/memberships/groups.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { storedEnum } from '../enum-types.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Membership } from './membership.ts';

const admins = { roles: ['ADMIN'] } as const;

const membersOfOne = makeLoader(membersOfGroups);

const GroupSource = storedEnum('GroupSource', 'Where the members of an approval group are maintained.', {
  CONSOLE: 'In the console, by an ADMIN.',
  SCIM: 'In the directory of the center, which changes the group through SCIM.',
});

const Group = builder.objectRef<ApprovalGroup>('ApprovalGroup').implement({
  description: 'Members of the center who can fill the same seats of a quorum.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the group, `grp_…`, which policies refer to.' }),
    name: t.exposeString('name', { description: 'The name that people see, unique in the center.' }),
    source: t.expose('source', {
      type: GroupSource,
      description: 'Where the group is maintained. Groups of the directory are changed there only.',
    }),
    members: t.field({
      type: [Membership],
      description: 'The members of the group whose membership is ACTIVE.',
      resolve: async ({ id }, _, ctx) => (await membersOfOne(ctx, id)) ?? [],
    }),
  }),
});

const CreateGroupInput = inputType('CreateGroupInput', createGroupInput, {
  description: 'The name of a group to create.',
});

const RenameGroupInput = inputType('RenameGroupInput', renameGroupInput, {
  description: 'A group and the name that people see from now on.',
  types: { id: 'ID' },
});

const SetGroupMembersInput = inputType('SetGroupMembersInput', groupMembersInput, {
  description: 'A group and all members that it has from now on.',
  types: { id: 'ID', membershipIds: 'ID' },
});

const SetGroupSourceInput = inputType('SetGroupSourceInput', groupSourceInput, {
  description: 'A group and where it is maintained from now on.',
  types: { id: 'ID', source: GroupSource },
});

builder.queryField('groups', (t) =>
  t.connection({
    type: Group,
    description: 'The approval groups of the center, newest first.',
    extensions: { fromReplica: true },
    authScopes: { access: admins },
    args: {
      search: t.arg.string({ description: 'Only groups whose name contains this text, in any case.' }),
    },
    resolve: (_, args, ctx) => connectionById('grp', args, (window) => listGroups(ctx, window, args.search)),
  }),
);

builder.mutationFields((t) => ({
  createGroup: t.field({
    type: Group,
    description: 'Creates an approval group without members.',
    authScopes: { access: admins },
    args: inputArg(CreateGroupInput, 'The name of the new group.'),
    resolve: (_, { input }, ctx) => createGroup(ctx, input),
  }),
  renameGroup: t.field({
    type: Group,
    description: 'Renames an approval group. Policies refer to its id and do not change.',
    authScopes: { access: admins },
    args: inputArg(RenameGroupInput, 'The group and its new name.'),
    resolve: (_, { input }, ctx) => renameGroup(ctx, input),
  }),
  setGroupMembers: t.field({
    type: Group,
    description: 'Replaces the members of an approval group.',
    authScopes: { access: admins },
    args: inputArg(SetGroupMembersInput, 'The group and all members that it has from now on.'),
    resolve: (_, { input }, ctx) => setGroupMembers(ctx, input),
  }),
  setGroupSource: t.field({
    type: Group,
    description: 'Hands an approval group over to the directory of the center, or back to the console.',
    authScopes: { access: admins },
    args: inputArg(SetGroupSourceInput, 'The group and where it is maintained from now on.'),
    resolve: (_, { input }, ctx) => setGroupSource(ctx, input),
  }),
  deleteGroup: t.field({
    type: Group,
    description: 'Deletes an approval group that is not used by a policy.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'The id of the group, `grp_…`.' }) },
    resolve: (_, { id }, ctx) => deleteGroup(ctx, String(id)),
  }),
}));
