import { z } from 'zod';
import {
  accountsOf,
  countPeople,
  type PartnerAccountHolder as Holder,
  type PlatformPerson,
  readPerson,
  sliceOfPeople,
} from '../../domain/platform/people.ts';
import { plainText } from '../../lib/text.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionOf } from '../connections.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { properties } from '../exposed.ts';
import { counted } from '../paging.ts';
import { PartnerRole } from '../partners/onboarding.ts';
import { Partner } from '../partners/partner.ts';

const PersonMembership = builder
  .objectRef<PlatformPerson['memberships'][number]>('PersonMembership')
  .implement({
    description: 'A membership of an account.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the membership.' }),
      centerId: t.int({ description: 'The id of the center.', resolve: ({ center }) => center.id }),
      centerName: t.string({ description: 'The name of the center.', resolve: ({ center }) => center.name }),
      role: t.expose('role', { type: ActorRole, description: 'The role.' }),
      status: t.expose('status', { type: MembershipStatus, description: 'The status of the membership.' }),
    }),
  });

const PersonPartner = builder
  .objectRef<PlatformPerson['partnerMemberships'][number]>('PersonPartner')
  .implement({
    description: 'A partner that an account works for.',
    fields: (t) => ({
      id: t.id({ description: 'The id of the partner.', resolve: ({ partner }) => partner.id }),
      name: t.string({ description: 'The name of the partner.', resolve: ({ partner }) => partner.name }),
      role: t.expose('role', { type: PartnerRole, description: 'The role for the partner.' }),
    }),
  });

const PlatformPersonRef = builder.objectRef<PlatformPerson>('PlatformPerson').implement({
  description: 'An account of the installation.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the person.'],
      name: ['String', 'The name of the person.'],
      email: ['String?', 'The email address for signing in.'],
      phone: ['String?', 'The phone number for signing in.'],
      platformAdmin: ['Boolean', 'Whether it is a platform admin.'],
      createdAt: ['DateTime', 'When it was created.'],
      memberships: [[PersonMembership], 'The first 20 memberships.'],
    }),
    partners: t.field({
      type: [PersonPartner],
      description: 'The partners that it works for.',
      resolve: ({ partnerMemberships }) => partnerMemberships,
    }),
  }),
});

const byUuid = {
  toCursor: ({ id }: { id: string }) => id,
  fromCursor: (cursor: string) => (z.guid().safeParse(cursor).success ? cursor : null),
};

builder.queryFields((t) => ({
  allPeople: t.connection(
    {
      type: PlatformPersonRef,
      description: 'All accounts of the installation. Requires a platform admin.',
      authScopes: { access: { platformAdmin: true } },
      args: {
        search: t.arg.string({
          description: 'Only people whose email or name contains this text.',
          validate: plainText(200).nullish(),
        }),
      },
      resolve: async (_, { search, ...args }, ctx) => ({
        ...(await connectionOf({ args, ...byUuid, load: (window) => sliceOfPeople(ctx, search, window) })),
        totalCount: () => countPeople(ctx, search),
      }),
    },
    counted(),
  ),
  person: t.field({
    type: PlatformPersonRef,
    description: 'An account of the installation. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    args: { id: t.arg.id({ required: true, validate: z.guid(), description: 'The id of the person.' }) },
    resolve: (_, { id }, ctx) => readPerson(ctx, String(id)),
  }),
}));

const accountsOfOne = makeLoader(accountsOf);

const PartnerAccountHolder = builder.objectRef<Holder>('PartnerAccountHolder').implement({
  description: 'A person who works for a partner.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the person.', resolve: ({ actor }) => actor.id }),
    name: t.string({ description: 'The name of the person.', resolve: ({ actor }) => actor.name }),
    email: t.string({
      nullable: true,
      description: 'The email address of the person.',
      resolve: ({ actor }) => actor.email,
    }),
    role: t.expose('role', { type: PartnerRole, description: 'The role for the partner.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when.' }),
  }),
});

builder.objectField(Partner, 'accounts', (t) =>
  t.field({
    type: [PartnerAccountHolder],
    description: 'The people who work for it.',
    complexity: 20,
    resolve: async ({ id }, _, ctx) => (await accountsOfOne(ctx, id)) ?? [],
  }),
);
