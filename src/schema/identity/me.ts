import { lastVisitedCenter } from '../../api/session-cookies.ts';
import {
  type PartnerAccount as Account,
  landingOf,
  partnerAccountOf,
} from '../../domain/identity/landing-page.ts';
import {
  authorizedDomains,
  currentActor,
  familyMemberships,
  type MembershipView,
} from '../../domain/identity/me.ts';
import { phoneOf, updateProfile, updateProfileInput } from '../../domain/identity/profile.ts';
import type { ActorPrincipal } from '../../domain/principal.ts';
import { builder } from '../builder.ts';
import { ActorRole, MembershipStatus } from '../enums.ts';
import { approverOf, MembershipApprover } from '../memberships/approver.ts';
import { PartnerRole } from '../partners/onboarding.ts';
import { Landing } from './signed-in.ts';

export const MembershipSummary = builder.objectRef<MembershipView>('MembershipSummary').implement({
  description: "One of the signed-in person's memberships, with its center's name.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the membership.' }),
    centerId: t.exposeInt('centerId', { description: 'The number of the center.' }),
    centerName: t.exposeString('centerName', { description: 'What the center is called.' }),
    centerDomain: t.exposeString('centerDomain', { description: "The center's domain slug." }),
    role: t.expose('role', { type: ActorRole, description: 'What the person is there.' }),
    status: t.expose('status', { type: MembershipStatus, description: 'Where the membership stands.' }),
    invitedAt: t.expose('invitedAt', {
      type: 'DateTime',
      description: 'When the person was invited or added.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended, if it has.',
    }),
    approver: t.field({
      type: MembershipApprover,
      nullable: true,
      description: 'Who approves it, while it is INVITED or PENDING.',
      complexity: 5,
      resolve: async ({ status, centerId }, _, ctx) =>
        status === 'INVITED' || status === 'PENDING' ? ((await approverOf(ctx, centerId)) ?? null) : null,
    }),
  }),
});

const PartnerAccount = builder.objectRef<Account>('PartnerAccount').implement({
  description: "A person's account with a partner.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the partner that the person works for.' }),
    name: t.exposeString('name', { description: "The partner's name." }),
    role: t.expose('role', { type: PartnerRole, description: 'What the person may do for the partner.' }),
  }),
});

export const Me = builder.objectRef<ActorPrincipal>('Me').implement({
  description: 'The signed-in person, as the current session sees them.',
  fields: (t) => ({
    actorId: t.exposeID('actorId', { description: 'Names the person.' }),
    email: t.exposeString('email', { description: 'The address the person signs in with.' }),
    name: t.exposeString('name', { description: 'What the person is called.' }),
    phone: t.string({
      nullable: true,
      description: 'The phone number to show.',
      resolve: ({ actorId }, _, ctx) => phoneOf(ctx, actorId),
    }),
    role: t.field({
      type: ActorRole,
      description: 'The role in the current center; without one, what the person is in general.',
      resolve: ({ center, baseRole }) => (center.open ? center.role : baseRole),
    }),
    centerId: t.int({
      nullable: true,
      description: 'The number of the center that the session is in; null in none.',
      resolve: ({ center }) => (center.open ? center.centerId : null),
    }),
    centerDomain: t.string({
      nullable: true,
      description: "The current center's domain slug.",
      resolve: ({ center }) => (center.open ? center.centerDomain : null),
    }),
    authorizedDomains: t.stringList({
      description: 'The domains of all centers that may be entered.',
      complexity: 5,
      resolve: (visitor, _, ctx) => authorizedDomains(ctx, visitor),
    }),
    platformAdmin: t.exposeBoolean('platformAdmin', {
      description: 'Whether the person administers the whole installation.',
    }),
    partner: t.field({
      type: PartnerAccount,
      nullable: true,
      description: 'The partner that the person works for.',
      complexity: 5,
      resolve: (actor, _, ctx) => partnerAccountOf(ctx, actor),
    }),
    landing: t.field({
      type: Landing,
      description: 'Where the person belongs now: what signing in would answer.',
      complexity: 5,
      resolve: (actor, _, ctx) => landingOf(ctx, actor, lastVisitedCenter(ctx)),
    }),
    memberships: t.field({
      type: [MembershipSummary],
      description: 'All memberships of the person and of those tied to them by email or phone.',
      resolve: (person, _, ctx) => familyMemberships(ctx, person),
    }),
  }),
});

const UpdateProfileInput = builder
  .inputType('UpdateProfileInput', {
    description: 'What to change of oneself; what is left out stays.',
    fields: (t) => ({
      name: t.string({ description: 'What the person is called.' }),
      phone: t.string({ description: 'The phone number to show; null takes it away.' }),
    }),
  })
  .validate(updateProfileInput);

builder.mutationField('updateProfile', (t) =>
  t.field({
    type: Me,
    description: "Changes what the person's centers see of them.",
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: UpdateProfileInput, required: true, description: 'What to change of oneself.' }),
    },
    resolve: (_, { input }, ctx) => updateProfile(ctx, input),
  }),
);

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'Who is signed in.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => currentActor(ctx),
  }),
);
