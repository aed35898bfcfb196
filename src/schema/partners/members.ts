import type { MemberView } from '../../domain/memberships/view.ts';
import { countMembers, listMembers, sliceOfMembers } from '../../domain/partners/members.ts';
import type { Page } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { limitArgument, Pagination, pageArgument } from '../paging.ts';

const PartnerMemberType = builder.objectRef<MemberView>('PartnerMember').implement({
  description: "A membership in one of the partner's centers, with its person.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the membership.' }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'Names the person; null until they accept.',
    }),
    name: t.exposeString('name', {
      description: "The person's name; until they accept, what the inviter calls them.",
    }),
    email: t.exposeString('email', { nullable: true, description: "The person's address." }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is there.' }),
    status: t.expose('status', { type: MembershipStatus, description: 'Where the membership stands.' }),
    centerId: t.exposeInt('centerId', { description: 'The number of the center.' }),
    centerName: t.exposeString('centerName', { description: 'What the center is called.' }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    invitedAt: t.expose('invitedAt', {
      type: 'DateTime',
      description: 'When the person was invited or added.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the membership ended; null while it has not.',
    }),
  }),
});

const PartnerMemberPage = builder.objectRef<Page<MemberView>>('PartnerMemberPage').implement({
  description: "One page of the members of a partner's centers.",
  fields: (t) => ({
    items: t.field({
      type: [PartnerMemberType],
      description: 'The memberships of this page, oldest first.',
      resolve: ({ items }) => items,
    }),
    info: t.field({ type: Pagination, description: 'Where the page stands.', resolve: ({ info }) => info }),
  }),
});

builder.queryFields((t) => ({
  partnerMembers: t.connection(
    {
      type: PartnerMemberType,
      description: "Everybody in the partner's centers, oldest membership first.",
      authScopes: { access: { partner: 'any' } },
      args: {
        search: t.arg.string({
          description: 'Only people whose address or name contains this.',
          validate: plainText(200).nullish(),
        }),
        status: t.arg({ type: MembershipStatus, description: 'Only memberships with this status.' }),
      },
      resolve: async (_, { search, status, ...args }, ctx) => ({
        ...(await connectionById('mbr', args, (window) => sliceOfMembers(ctx, { search, status }, window))),
        filter: { search, status },
      }),
    },
    {
      fields: (f) => ({
        totalCount: f.int({
          description: 'How many there are in all.',
          resolve: ({ filter }, _, ctx) => countMembers(ctx, filter),
        }),
      }),
    },
  ),
  partnerMemberPage: t.field({
    type: PartnerMemberPage,
    description: "A numbered page of everybody in the partner's centers.",
    authScopes: { access: { partner: 'any' } },
    args: {
      page: t.arg.int(pageArgument),
      limit: t.arg.int(limitArgument),
    },
    resolve: (_, args, ctx) => listMembers(ctx, args),
  }),
}));
