import type { MemberView } from '../../domain/memberships/view.ts';
import { countMembers, listMembers, sliceOfMembers } from '../../domain/partners/members.ts';
import type { Page } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import { centerVertical } from '../centers/vertical.ts';
import { connectionById } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { counted, limitArgument, Pagination, pageArgument } from '../paging.ts';

const PartnerMemberType = builder.objectRef<MemberView>('PartnerMember').implement({
  description: "A membership in one of the partner's centers, with its person.",
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the membership, `mbr_…`.'],
      actorId: ['ID?', 'The id of the person, a UUID; null until they accept.'],
      name: ['String', 'The name of the person; until they accept, the name in the invitation.'],
      email: ['String?', 'The email address; null if the person has none.'],
      role: [ActorRole, 'What the person may do in the center.'],
      status: [MembershipStatus, 'The status of the membership; only ACTIVE gives access.'],
      centerId: ['Int', 'The id of the center, a positive integer.'],
      centerName: ['String', 'The name of the center that people see.'],
      centerDomain: ['String', 'The domain slug of the center.'],
      invitedAt: ['DateTime', 'When the person was invited or added, in UTC.'],
      endedAt: ['DateTime?', 'When the membership ended, in UTC; null if it has not.'],
    }),
    centerVertical: t.field(centerVertical),
  }),
});

const PartnerMemberPage = builder.objectRef<Page<MemberView>>('PartnerMemberPage').implement({
  description: "One page of the members of a partner's centers.",
  fields: onlyProperties({
    items: [[PartnerMemberType], 'The memberships of this page, oldest first.'],
    info: [Pagination, 'The position of this page in the list.'],
  }),
});

builder.queryFields((t) => ({
  partnerMembers: t.connection(
    {
      type: PartnerMemberType,
      description: "The members of the partner's centers, oldest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { partner: 'any' } },
      args: {
        search: t.arg.string({
          description: 'Only people whose email or name contains this text.',
          validate: plainText(200).nullish(),
        }),
        status: t.arg({ type: MembershipStatus, description: 'Only memberships with this status.' }),
      },
      resolve: async (_, { search, status, ...args }, ctx) => ({
        ...(await connectionById('mbr', args, (window) => sliceOfMembers(ctx, { search, status }, window))),
        totalCount: () => countMembers(ctx, { search, status }),
      }),
    },
    counted('How many memberships match the filters.'),
  ),
  partnerMemberPage: t.field({
    type: PartnerMemberPage,
    description: "A page of the members of the partner's centers.",
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    args: {
      page: t.arg.int(pageArgument),
      limit: t.arg.int(limitArgument),
    },
    resolve: (_, args, ctx) => listMembers(ctx, args),
  }),
}));
