import { z } from 'zod';
import {
  endPersonSessions,
  grantPlatformAdmin,
  personRef,
  reactivatePerson,
  revokePlatformAdmin,
  suspendPerson,
  suspendPersonInput,
} from '../../domain/platform/act-on-person.ts';
import {
  accountsOf,
  countPeople,
  countSessions,
  type PartnerAccountHolder as Holder,
  onlyAdminMemberships,
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
import { inputArg, inputType } from '../input-types.ts';
import { counted } from '../paging.ts';
import { PartnerRole } from '../partners/onboarding.ts';
import { Partner } from '../partners/partner.ts';

const PersonMembership = builder
  .objectRef<PlatformPerson['memberships'][number]>('PersonMembership')
  .implement({
    description: 'The membership of an account in a center.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the membership, `mbr_…`.' }),
      centerId: t.int({
        description: 'The id of the center, a positive integer.',
        resolve: ({ center }) => center.id,
      }),
      centerName: t.string({
        description: 'The name of the center that people see.',
        resolve: ({ center }) => center.name,
      }),
      role: t.expose('role', { type: ActorRole, description: 'What the person may do in the center.' }),
      status: t.expose('status', {
        type: MembershipStatus,
        description: 'The status of the membership; only ACTIVE gives access.',
      }),
    }),
  });

const PersonPartner = builder
  .objectRef<PlatformPerson['partnerMemberships'][number]>('PersonPartner')
  .implement({
    description: 'A partner that an account works for.',
    fields: (t) => ({
      id: t.id({ description: 'The id of the partner, `ptn_…`.', resolve: ({ partner }) => partner.id }),
      name: t.string({
        description: 'The name of the partner that people see.',
        resolve: ({ partner }) => partner.name,
      }),
      role: t.expose('role', { type: PartnerRole, description: 'What the person may do for the partner.' }),
    }),
  });

const activeSessionsOf = makeLoader(countSessions);
const onlyAdminOf = makeLoader(onlyAdminMemberships);

const PlatformPersonRef = builder.objectRef<PlatformPerson>('PlatformPerson').implement({
  description: 'An account of the installation.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the person, a UUID.'],
      name: ['String', 'The name of the person, as in their profile.'],
      email: ['String?', 'The email address for signing in; null for people who sign in by phone.'],
      phone: ['String?', 'The phone number for signing in; null for people who sign in by email.'],
      platformAdmin: ['Boolean', 'Whether the person administers the whole installation.'],
      createdAt: ['DateTime', 'When the account was created, in UTC.'],
      suspendedAt: [
        'DateTime?',
        'When a platform admin suspended the account, in UTC; null while it can sign in.',
      ],
      memberships: [[PersonMembership], 'The first 20 memberships of the account.'],
    }),
    partners: t.field({
      type: [PersonPartner],
      description: 'The partners that the person works for.',
      resolve: ({ partnerMemberships }) => partnerMemberships,
    }),
    activeSessions: t.int({
      description: 'How many sessions are neither ended nor expired.',
      complexity: 2,
      resolve: async ({ id }, _, ctx) => (await activeSessionsOf(ctx, id)) ?? 0,
    }),
    onlyAdminOf: t.field({
      type: [PersonMembership],
      description: 'The first 20 memberships as the only ADMIN of a center who can act.',
      complexity: 20,
      resolve: async ({ id }, _, ctx) => (await onlyAdminOf(ctx, id)) ?? [],
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
    args: {
      id: t.arg.id({ required: true, validate: z.guid(), description: 'The id of the person, a UUID.' }),
    },
    resolve: (_, { id }, ctx) => readPerson(ctx, String(id)),
  }),
}));

const PersonInput = inputType('PersonInput', personRef, {
  description: 'The account that the operation changes; never your own.',
  types: { id: 'ID' },
});

const SuspendPersonInput = inputType('SuspendPersonInput', suspendPersonInput, {
  description: 'The account to suspend, and why.',
  types: { id: 'ID' },
});

const REQUIRES =
  ' Requires a platform admin who was authenticated in the last five minutes; not for your own account.';
const platformAdmin = { access: { platformAdmin: true } } as const;
const person = 'The account to change.';

builder.mutationFields((t) => ({
  endPersonSessions: t.field({
    type: PlatformPersonRef,
    description: `Ends all sessions of a person immediately. They can sign in again.${REQUIRES}`,
    authScopes: platformAdmin,
    args: inputArg(PersonInput, person),
    resolve: (_, { input }, ctx) => endPersonSessions(ctx, input),
  }),
  suspendPerson: t.field({
    type: PlatformPersonRef,
    description: `Suspends an account: its sessions and delegations end, and it cannot sign in. Its memberships stay.${REQUIRES}`,
    authScopes: platformAdmin,
    args: inputArg(SuspendPersonInput, 'The account to suspend, and why.'),
    resolve: (_, { input }, ctx) => suspendPerson(ctx, input),
  }),
  reactivatePerson: t.field({
    type: PlatformPersonRef,
    description: `Lets a suspended account sign in again. Ended sessions and delegations stay ended.${REQUIRES}`,
    authScopes: platformAdmin,
    args: inputArg(PersonInput, person),
    resolve: (_, { input }, ctx) => reactivatePerson(ctx, input),
  }),
  grantPlatformAdmin: t.field({
    type: PlatformPersonRef,
    description: `Lets a person administer the whole installation.${REQUIRES}`,
    authScopes: platformAdmin,
    args: inputArg(PersonInput, person),
    resolve: (_, { input }, ctx) => grantPlatformAdmin(ctx, input),
  }),
  revokePlatformAdmin: t.field({
    type: PlatformPersonRef,
    description: `Ends the right of a person to administer the whole installation, immediately.${REQUIRES}`,
    authScopes: platformAdmin,
    args: inputArg(PersonInput, person),
    resolve: (_, { input }, ctx) => revokePlatformAdmin(ctx, input),
  }),
}));

const accountsOfOne = makeLoader(accountsOf);

const PartnerAccountHolder = builder.objectRef<Holder>('PartnerAccountHolder').implement({
  description: 'A person who works for a partner.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the person, a UUID.', resolve: ({ actor }) => actor.id }),
    name: t.string({
      description: 'The name of the person, as in their profile.',
      resolve: ({ actor }) => actor.name,
    }),
    email: t.string({
      nullable: true,
      description: 'The email address; null if the person has none.',
      resolve: ({ actor }) => actor.email,
    }),
    role: t.expose('role', { type: PartnerRole, description: 'What the person may do for the partner.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Since when the person has worked for the partner, in UTC.',
    }),
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
