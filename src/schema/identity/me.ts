import { lastVisitedCenter } from '../../api/session-cookies.ts';
import { currentFeatures } from '../../domain/centers/center-features.ts';
import {
  type PartnerAccount as Account,
  landingOf,
  partnerAccountOf,
} from '../../domain/identity/landing.ts';
import { authorizedDomains, currentActor, familyMemberships } from '../../domain/identity/me.ts';
import { phoneOf, updateProfile, updateProfileInput } from '../../domain/identity/profile.ts';
import { sealedName } from '../../domain/identity/sealed-name.ts';
import type { ActorPrincipal } from '../../domain/principal.ts';
import { builder } from '../builder.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { CenterFeature } from '../features/features.ts';
import { inputArg, inputType } from '../input-types.ts';
import { MembershipSummary } from '../memberships/summary.ts';
import { PartnerRole } from '../partners/onboarding.ts';
import { Landing } from './signed-in.ts';

const PartnerAccount = builder.objectRef<Account>('PartnerAccount').implement({
  description: 'An account of a partner.',
  fields: onlyProperties({
    id: ['ID', 'The id of the partner.'],
    name: ['String', "The partner's name."],
    role: [PartnerRole, 'The role for the partner.'],
  }),
});

export const Me = builder.objectRef<ActorPrincipal>('Me').implement({
  description: 'The signed-in person.',
  fields: (t) => ({
    ...properties(t, {
      actorId: ['ID', 'The id of the person.'],
      email: ['String', 'The email address for signing in.'],
      name: ['String', 'The name of the person.'],
      platformAdmin: ['Boolean', 'Whether the person is a platform admin.'],
    }),
    approvalName: t.string({
      description: 'The name that approvals carry. It follows a change of `name` an hour later.',
      resolve: (person, _, ctx) => sealedName(person, ctx.now),
    }),
    approvalNameUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When approvals take the changed `name`; null if they carry it already.',
      resolve: ({ earlierNameUntil }, _, ctx) =>
        earlierNameUntil !== null && earlierNameUntil > ctx.now ? earlierNameUntil : null,
    }),
    phone: t.string({
      nullable: true,
      description: 'The displayed phone number.',
      resolve: ({ actorId }, _, ctx) => phoneOf(ctx, actorId),
    }),
    role: t.field({
      type: ActorRole,
      description: 'The role in the current center, or the general role without a center.',
      resolve: ({ center, baseRole }) => (center.open ? center.role : baseRole),
    }),
    centerId: t.int({
      nullable: true,
      description: 'The id of the current center, or null.',
      resolve: ({ center }) => (center.open ? center.centerId : null),
    }),
    centerDomain: t.string({
      nullable: true,
      description: "The current center's domain slug.",
      resolve: ({ center }) => (center.open ? center.centerDomain : null),
    }),
    authorizedDomains: t.stringList({
      description: 'The domains of all accessible centers.',
      complexity: 5,
      resolve: (visitor, _, ctx) => authorizedDomains(ctx, visitor),
    }),
    partner: t.field({
      type: PartnerAccount,
      nullable: true,
      description: 'The partner of the person.',
      complexity: 5,
      resolve: (actor, _, ctx) => partnerAccountOf(ctx, actor),
    }),
    landing: t.field({
      type: Landing,
      description: 'The landing page, as after signing in.',
      complexity: 5,
      resolve: (actor, _, ctx) => landingOf(ctx, actor, lastVisitedCenter(ctx)),
    }),
    features: t.field({
      type: [CenterFeature],
      description: 'The features of the current center; empty without a center.',
      resolve: (_, __, ctx) => currentFeatures(ctx),
    }),
    memberships: t.field({
      type: [MembershipSummary],
      description: 'All memberships of the person and of accounts with the same email or phone.',
      resolve: (person, _, ctx) => familyMemberships(ctx, person),
    }),
  }),
});

const UpdateProfileInput = inputType('UpdateProfileInput', updateProfileInput, {
  description: 'Changes to your profile. Omitted members stay unchanged.',
});

builder.mutationField('updateProfile', (t) =>
  t.field({
    type: Me,
    description: 'Changes your profile.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(UpdateProfileInput, 'The changes to your profile.'),
    resolve: (_, { input }, ctx) => updateProfile(ctx, input),
  }),
);

builder.queryField('me', (t) =>
  t.field({
    type: Me,
    description: 'The signed-in person.',
    authScopes: { access: { signedIn: true } },
    resolve: (_, __, ctx) => currentActor(ctx),
  }),
);
