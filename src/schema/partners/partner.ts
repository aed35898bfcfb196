import type { Partner as PartnerRow } from '../../db/generated/prisma/client.ts';
import { countPartners, partnerSizes, partnersById, sliceOfPartners } from '../../domain/partners/list.ts';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { connectionById } from '../connections.ts';
import { counted } from '../paging.ts';

const sizeOf = makeLoader(partnerSizes);
const partnerOf = makeLoader(partnersById);

export const Partner = builder.objectRef<PartnerRow>('Partner').implement({
  description: 'An organization that owns centers.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the partner, `ptn_…`.' }),
    name: t.exposeString('name', { description: 'The name that people see.' }),
    settings: t.expose('settings', {
      type: 'JSON',
      description: 'Branding, country, features and other settings, as set with `changePartnerSettings`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the partner was created, in UTC.',
    }),
    centerCount: t.int({
      description: 'The number of centers, including closed ones.',
      resolve: async ({ id }, _, ctx) => (await sizeOf(ctx, id))?.centers ?? 0,
    }),
    memberCount: t.int({
      description: 'The number of memberships with the status ACTIVE in its centers.',
      resolve: async ({ id }, _, ctx) => (await sizeOf(ctx, id))?.members ?? 0,
    }),
  }),
});

builder.objectField(Center, 'partner', (t) =>
  t.field({
    type: Partner,
    nullable: true,
    description:
      'The partner that owns the center; null without one, and for all but platform admins and accounts of that partner.',
    resolve: async ({ partnerId }, _, ctx) => {
      const { principal } = ctx;
      if (!partnerId || principal.kind !== 'actor') return null;
      if (!principal.platformAdmin && principal.partner?.id !== partnerId) return null;
      return (await partnerOf(ctx, partnerId)) ?? null;
    },
  }),
);

builder.queryField('partners', (t) =>
  t.connection(
    {
      type: Partner,
      description: 'All partners, newest first. Requires a platform admin.',
      extensions: { fromReplica: true },
      authScopes: { access: { platformAdmin: true } },
      args: {
        search: t.arg.string({
          description: 'Only partners with this text in their name.',
          validate: plainText(256).nullish(),
        }),
      },
      resolve: async (_, { search, ...args }, ctx) => ({
        ...(await connectionById('ptn', args, (window) => sliceOfPartners(ctx, search, window))),
        totalCount: () => countPartners(ctx, search),
      }),
    },
    counted('How many partners match the filter.'),
  ),
);

builder.queryField('partner', (t) =>
  t.field({
    type: Partner,
    description: 'One partner. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    args: { id: t.arg.id({ required: true, description: 'The id of the partner, `ptn_…`.' }) },
    resolve: async (_, { id }, ctx) => {
      const partner = await partnerOf(ctx, String(id));
      if (!partner) throw new DomainError('NOT_FOUND', 'Partner not found.');
      return partner;
    },
  }),
);
