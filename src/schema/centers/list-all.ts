import type { Message } from '../../db/bus.ts';
import { announcedIds, CENTERS_TOPIC } from '../../domain/announcements.ts';
import { centersById, countAllCenters, sliceOfAllCenters } from '../../domain/centers/list-all.ts';
import { plainText } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import { byCenterId, connectionOf } from '../connections.ts';
import { CenterStatus } from '../enums.ts';
import { Center } from './center.ts';

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
