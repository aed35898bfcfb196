import type { Message } from '../../db/bus.ts';
import { announcedIds, CENTERS_TOPIC } from '../../domain/announcements.ts';
import { listInstructors } from '../../domain/centers/instructors.ts';
import { centersById, countAllCenters, sliceOfAllCenters } from '../../domain/centers/list-all.ts';
import { accessibleCenters, publicInfo, readCenter } from '../../domain/centers/read-centers.ts';
import { type FoundCenter, searchCenters, searchCentersInput } from '../../domain/centers/search.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Page } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import { byCenterId, connectionOf } from '../connections.ts';
import { CenterStatus, Vertical } from '../enums.ts';
import { Pagination } from '../paging.ts';
import { Center, CenterInfo, Instructor } from './center.ts';

builder.queryFields((t) => ({
  centers: t.field({
    type: [Center],
    description: 'The centers that the signed-in person may enter, by name.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => accessibleCenters(ctx),
  }),
  center: t.field({
    type: Center,
    description: 'A center that the signed-in person may enter, by its id or its domain.',
    authScopes: { access: { signedIn: true } },
    args: {
      id: t.arg.id({ description: 'The number of the center; or give its domain.' }),
      domain: t.arg.string({ description: 'The slug that names the center in addresses.' }),
    },
    resolve: (_, { id, domain }, ctx) => {
      if (id != null && domain == null) return readCenter(ctx, { id: String(id) });
      if (domain != null && id == null) return readCenter(ctx, { domain });
      throw new DomainError('VALIDATION_ERROR', 'Give either id or domain.');
    },
  }),
  centerInfo: t.field({
    type: CenterInfo,
    description: 'What anybody may know of a center.',
    authScopes: { access: { public: true } },
    args: {
      domain: t.arg.string({ required: true, description: 'The slug that names the center in addresses.' }),
    },
    resolve: (_, { domain }, ctx) => publicInfo(ctx, domain),
  }),
  instructors: t.field({
    type: [Instructor],
    description: 'Who teaches or treats in a center, for its members, by name.',
    authScopes: { access: { signedIn: true } },
    args: { domain: t.arg.string({ required: true, description: "The center's domain slug." }) },
    resolve: (_, { domain }, ctx) => listInstructors(ctx, domain),
  }),
}));

export { searchCentersInput };

const CenterSearchPage = builder.objectRef<Page<FoundCenter>>('CenterSearchPage').implement({
  description: 'One page of the centers that were found.',
  fields: (t) => ({
    items: t.field({
      type: [CenterInfo],
      description: 'The centers of this page, best match first.',
      resolve: ({ items }) => items,
    }),
    info: t.field({ type: Pagination, description: 'Where the page stands.', resolve: ({ info }) => info }),
  }),
});

const SearchCentersInput = builder
  .inputType('SearchCentersInput', {
    description: 'What to look for.',
    fields: (t) => ({
      query: t.string({ description: 'Words that the center resembles; typing errors are forgiven.' }),
      vertical: t.field({ type: Vertical, description: 'Only centers of this line of business.' }),
      page: t.int({ description: 'Which page, from 1.' }),
      limit: t.int({ description: 'How many on a page: 50 unless given, 100 at most.' }),
    }),
  })
  .validate(searchCentersInput);

builder.queryField('searchCenters', (t) =>
  t.field({
    type: CenterSearchPage,
    description: 'Finds open centers, best match first; without words it lists them by name.',
    authScopes: { access: { public: true } },
    args: { input: t.arg({ type: SearchCentersInput, required: true, description: 'What to look for.' }) },
    resolve: (_, { input }, ctx) => searchCenters(ctx, input),
  }),
);

builder.queryField('allCenters', (t) =>
  t.connection(
    {
      type: Center,
      description: 'The centers of the whole installation, oldest first: for platform admins.',
      authScopes: { access: { platformAdmin: true } },
      args: {
        search: t.arg.string({
          description: 'Only centers with this in their name or domain.',
          validate: plainText(256).nullish(),
        }),
        status: t.arg({ type: CenterStatus, description: 'Only those that are so.' }),
        partnerId: t.arg.id({ description: 'Only those of this partner.' }),
      },
      resolve: async (_, args, ctx) => {
        const filter = {
          search: args.search,
          status: args.status,
          partnerId: args.partnerId ? String(args.partnerId) : null,
        };
        return {
          ...(await connectionOf({
            args,
            ...byCenterId,
            load: (window) => sliceOfAllCenters(ctx, filter, window),
          })),
          filter,
        };
      },
    },
    {
      fields: (f) => ({
        totalCount: f.int({
          description: 'How many there are in all.',
          resolve: ({ filter }, _, ctx) => countAllCenters(ctx, filter),
        }),
      }),
    },
  ),
);

builder.subscriptionField('allCenters', (t) =>
  t.field({
    type: [Center],
    description:
      'Centers of the installation that were just made or changed, or whose members came or went: for platform admins.',
    authScopes: { access: { platformAdmin: true } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(CENTERS_TOPIC),
    resolve: async (message: Message, _, ctx) => [
      ...(await centersById(ctx, announcedIds(message))).values(),
    ],
  }),
);
