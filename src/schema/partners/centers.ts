import { z } from 'zod';
import type { RequestContext } from '../../api/request-context.ts';
import type { Center as CenterRow } from '../../db/generated/prisma/client.ts';
import type { TenantType as TenantTypes } from '../../db/generated/prisma/enums.ts';
import type { CenterView } from '../../domain/centers/view.ts';
import { centerViews } from '../../domain/centers/view.ts';
import {
  centerSearchInput,
  countCenters,
  listCenters,
  readManagedCenter,
  readPartnerCenter,
  sliceOfCenters,
} from '../../domain/partners/centers.ts';
import { createPartnerCenter, createPartnerCenterInput } from '../../domain/partners/create-center.ts';
import { changePartnerCenterInput, updatePartnerCenter } from '../../domain/partners/update-center.ts';
import { createCenter, createCenterInput } from '../../domain/platform/create-center.ts';
import type { Page } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { byCenterId, connectionOf } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { MembershipStatus, Vertical } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { counted, limitArgument, Pagination, pageArgument } from '../paging.ts';

const PartnerCenterPage = builder.objectRef<Page<CenterView>>('PartnerCenterPage').implement({
  description: "One page of a partner's centers.",
  fields: onlyProperties({
    items: [[Center], 'The centers of this page, oldest first.'],
    info: [Pagination, 'The position of this page in the list.'],
  }),
});

type Created = Awaited<ReturnType<typeof createPartnerCenter>>;

const InvitedAdmin = builder.objectRef<Created['admin']>('InvitedAdmin').implement({
  description: 'The person who was invited to administer a new center.',
  fields: onlyProperties({
    email: ['String', 'The address that the invitation was mailed to.'],
    membershipId: ['ID', 'The id of the membership, `mbr_…`.'],
    status: [MembershipStatus, 'The status of the membership: INVITED until the person answers.'],
  }),
});

const CreatedPartnerCenter = builder.objectRef<Created>('CreatedPartnerCenter').implement({
  description: 'A new center and its invited administrator.',
  fields: (t) => ({
    ...properties(t, {
      admin: [InvitedAdmin, 'The administrator, who was invited by mail.'],
    }),
    center: t.field({
      type: Center,
      description: 'The new center, which is ACTIVE at once.',
      resolve: ({ center }, _, ctx) => view(ctx, center),
    }),
  }),
});

const view = async (ctx: RequestContext, center: CenterRow) =>
  (await centerViews(ctx.app.db.pool, [center]))[0]!;

const search = {
  description: 'Only centers with this in their name or domain.',
  validate: centerSearchInput.nullish(),
};

builder.queryFields((t) => ({
  partnerCenters: t.connection(
    {
      type: Center,
      description: "The partner's centers, oldest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { partner: 'any' } },
      args: { search: t.arg.string(search) },
      resolve: async (_, args, ctx) => ({
        ...(await connectionOf({
          args,
          ...byCenterId,
          load: async (slice) =>
            centerViews(ctx.reads.declared([]), await sliceOfCenters(ctx, args.search, slice)),
        })),
        totalCount: () => countCenters(ctx, args.search),
      }),
    },
    counted('How many centers match the filters.'),
  ),
  partnerCenterPage: t.field({
    type: PartnerCenterPage,
    description: "A page of the partner's centers, oldest first.",
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    args: {
      page: t.arg.int(pageArgument),
      limit: t.arg.int(limitArgument),
      search: t.arg.string(search),
    },
    resolve: (_, args, ctx) => listCenters(ctx, args),
  }),
  partnerCenter: t.field({
    type: Center,
    description: "One of the partner's centers.",
    authScopes: { access: { partner: 'any' } },
    args: { id: t.arg.int({ required: true, description: 'The id of the center, a positive integer.' }) },
    resolve: (_, { id }, ctx) => readPartnerCenter(ctx, id),
  }),
  managedCenter: t.field({
    type: Center,
    description: "One of the partner's centers; for platform admins any center.",
    authScopes: { access: { partner: 'any', platformAdmin: true } },
    args: { id: t.arg.int({ required: true, description: 'The id of the center, a positive integer.' }) },
    resolve: (_, { id }, ctx) => readManagedCenter(ctx, id),
  }),
}));

const PartnerTenantType = enumType<Exclude<TenantTypes, 'PROGRAM'>>(
  'PartnerTenantType',
  'The kind of tenant that a partner can create.',
  {
    CENTER: 'An ordinary center with its own members and records.',
    WHITE_LABEL: "A center under the customer's own name and domain.",
    WORKSPACE: 'A workspace for a team.',
  },
);

const CreatePartnerCenterInput = inputType('CreatePartnerCenterInput', createPartnerCenterInput, {
  description: 'A center to create, and the administrator to invite.',
  types: { tenantType: PartnerTenantType, vertical: Vertical },
});

const PartnerCenterStatus = enumType<'ACTIVE' | 'SUSPENDED'>(
  'PartnerCenterStatus',
  "Whether the members of a partner's center can enter it.",
  {
    ACTIVE: 'In use: its members can enter.',
    SUSPENDED: 'Suspended: no member can enter; all data is kept.',
  },
);

const CreateCenterInput = inputType('CreateCenterInput', createCenterInput, {
  description: 'A center to create, and the administrator to invite.',
  types: { tenantType: PartnerTenantType, vertical: Vertical },
});

const UpdatePartnerCenterInput = inputType(
  'UpdatePartnerCenterInput',
  changePartnerCenterInput.extend({
    centerId: z.int().describe('The id of the center, a positive integer.'),
  }),
  {
    description: 'Changes to a center. Omitted members stay unchanged.',
    types: { status: PartnerCenterStatus },
  },
);

builder.mutationFields((t) => ({
  createPartnerCenter: t.field({
    type: CreatedPartnerCenter,
    description: 'Creates a center of the partner and invites its administrator.',
    authScopes: { access: { partner: 'any' } },
    args: inputArg(CreatePartnerCenterInput, 'The name, the kind and the administrator of the center.'),
    resolve: (_, { input }, ctx) => createPartnerCenter(ctx, input),
  }),
  createCenter: t.field({
    type: CreatedPartnerCenter,
    description:
      'Creates a center, with or without a partner, and invites its administrator. Requires a platform admin who was authenticated in the last five minutes.',
    authScopes: { access: { platformAdmin: true } },
    args: inputArg(CreateCenterInput, 'The name, the kind and the administrator of the center.'),
    resolve: (_, { input }, ctx) => createCenter(ctx, input),
  }),
  updatePartnerCenter: t.field({
    type: Center,
    description: "Renames, suspends or reactivates one of the partner's centers.",
    authScopes: { access: { partner: 'any' } },
    args: inputArg(UpdatePartnerCenterInput, 'The center and its changes.'),
    resolve: async (_, { input: { centerId, ...changes } }, ctx) =>
      view(ctx, await updatePartnerCenter(ctx, centerId, changes)),
  }),
}));
