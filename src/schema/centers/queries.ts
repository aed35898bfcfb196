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
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { counted, Pagination } from '../paging.ts';
import { Center, CenterInfo, Instructor } from './center.ts';

builder.queryFields((t) => ({
  centers: t.field({
    type: [Center],
    description: 'The accessible centers, by name.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => accessibleCenters(ctx),
  }),
  center: t.field({
    type: Center,
    description: 'An accessible center, by id or domain.',
    authScopes: { access: { signedIn: true } },
    args: {
      id: t.arg.id({
        description: 'The id of the center, a positive integer. Give either this or `domain`.',
      }),
      domain: t.arg.string({ description: 'The domain slug of the center. Give either this or `id`.' }),
    },
    resolve: (_, { id, domain }, ctx) => {
      if (id != null && domain == null) return readCenter(ctx, { id: String(id) });
      if (domain != null && id == null) return readCenter(ctx, { domain });
      throw new DomainError('VALIDATION_ERROR', 'Give either id or domain.');
    },
  }),
  centerInfo: t.field({
    type: CenterInfo,
    description: 'Public information about a center.',
    authScopes: { access: { public: true } },
    args: {
      domain: t.arg.string({ required: true, description: 'The domain slug of the center.' }),
    },
    resolve: (_, { domain }, ctx) => publicInfo(ctx, domain),
  }),
  instructors: t.field({
    type: [Instructor],
    description: 'The instructors of a center by name. Requires membership.',
    authScopes: { access: { signedIn: true } },
    args: { domain: t.arg.string({ required: true, description: 'The domain slug of the center.' }) },
    resolve: (_, { domain }, ctx) => listInstructors(ctx, domain),
  }),
}));

const CenterSearchPage = builder.objectRef<Page<FoundCenter>>('CenterSearchPage').implement({
  description: 'One page of the centers that match a search.',
  fields: onlyProperties({
    items: [[CenterInfo], 'The centers of this page, best match first.'],
    info: [Pagination, 'The position of this page in the list.'],
  }),
});

const SearchCentersInput = inputType('SearchCentersInput', searchCentersInput, {
  description: 'What to search for. Without a query, centers are listed by name.',
  types: { vertical: Vertical },
});

builder.queryField('searchCenters', (t) =>
  t.field({
    type: CenterSearchPage,
    description: 'Searches active centers, best match first. Without a query it lists them by name.',
    extensions: { fromReplica: true },
    authScopes: { access: { public: true } },
    args: inputArg(SearchCentersInput, 'The text and filters of the search.'),
    resolve: (_, { input }, ctx) => searchCenters(ctx, input),
  }),
);

builder.queryField('allCenters', (t) =>
  t.connection(
    {
      type: Center,
      description: 'All centers of the installation, oldest first. Requires a platform admin.',
      extensions: { fromReplica: true },
      authScopes: { access: { platformAdmin: true } },
      args: {
        search: t.arg.string({
          description: 'Only centers with this in their name or domain.',
          validate: plainText(256).nullish(),
        }),
        status: t.arg({ type: CenterStatus, description: 'Only centers with this status.' }),
        partnerId: t.arg.id({ description: 'Only centers of the partner with this id, `ptn_…`.' }),
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
          totalCount: () => countAllCenters(ctx, filter),
        };
      },
    },
    counted('How many centers match the filters.'),
  ),
);

builder.subscriptionField('allCenters', (t) =>
  t.field({
    type: [Center],
    description:
      'Centers of the installation that were created or changed, or whose members changed. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(CENTERS_TOPIC),
    resolve: async (message: Message, _, ctx) => [
      ...(await centersById(ctx, announcedIds(message))).values(),
    ],
  }),
);
