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
import { type SessionProvider, sessionProvider } from '../../domain/providers/session-provider.ts';
import { builder } from '../builder.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { CenterFeature } from '../features/features.ts';
import { inputArg, inputType } from '../input-types.ts';
import { MembershipSummary } from '../memberships/summary.ts';
import { PartnerRole } from '../partners/onboarding.ts';
import { Landing } from './signed-in.ts';

const PartnerAccount = builder.objectRef<Account>('PartnerAccount').implement({
  description: 'The partner that a person works for, and their role.',
  fields: onlyProperties({
    id: ['ID', 'The id of the partner, `ptn_…`.'],
    name: ['String', 'The name of the partner that people see.'],
    role: [PartnerRole, 'What the person may do for the partner.'],
  }),
});

const MeProvider = builder.objectRef<SessionProvider>('MeProvider').implement({
  description: 'The identity provider that opened the session.',
  fields: onlyProperties({
    name: ['String', 'The name of the provider that people see.'],
    logoutUrl: ['String?', 'Where to sign out at the provider too; null if it offers no such address.'],
  }),
});

export const Me = builder.objectRef<ActorPrincipal>('Me').implement({
  description: 'The person behind the session.',
  fields: (t) => ({
    ...properties(t, {
      actorId: ['ID', 'The id of the person, a UUID.'],
      email: [
        'String',
        'The email address of the account; empty for people who sign in by phone and for people of a center, whose address nothing may depend on.',
      ],
      name: ['String', 'The name of the person, as in their profile.'],
      platformAdmin: ['Boolean', 'Whether the person administers the whole installation.'],
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
    contactEmail: t.string({
      nullable: true,
      description:
        "The address to display: the account's, or the one that the provider or directory of the center gave. Identify people by `actorId`.",
      resolve: ({ shownEmail }) => shownEmail,
    }),
    phone: t.string({
      nullable: true,
      description: 'The phone number of the profile; null without one.',
      resolve: ({ actorId }, _, ctx) => phoneOf(ctx, actorId),
    }),
    role: t.field({
      type: ActorRole,
      description: 'The role in the current center; without one, the role that the account has in general.',
      resolve: ({ center, baseRole }) => (center.open ? center.role : baseRole),
    }),
    centerId: t.int({
      nullable: true,
      description: 'The id of the current center, a positive integer; null without one.',
      resolve: ({ center }) => (center.open ? center.centerId : null),
    }),
    centerDomain: t.string({
      nullable: true,
      description: 'The domain slug of the current center; null without one.',
      resolve: ({ center }) => (center.open ? center.centerDomain : null),
    }),
    authorizedDomains: t.stringList({
      description: 'The domain slugs of all centers that the person can enter.',
      complexity: 5,
      resolve: (visitor, _, ctx) => authorizedDomains(ctx, visitor),
    }),
    partner: t.field({
      type: PartnerAccount,
      nullable: true,
      description: 'The partner that the person works for; null if there is none.',
      complexity: 5,
      resolve: (actor, _, ctx) => partnerAccountOf(ctx, actor),
    }),
    provider: t.field({
      type: MeProvider,
      nullable: true,
      description: 'The identity provider that opened the session; null if a password or a passkey did.',
      complexity: 5,
      resolve: (person, _, ctx) => sessionProvider(ctx, person),
    }),
    landing: t.field({
      type: Landing,
      description: 'The page to show now, as after signing in.',
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
  description: 'What to change in your profile. Omitted members stay unchanged.',
});

builder.mutationField('updateProfile', (t) =>
  t.field({
    type: Me,
    description: 'Changes your name and phone number in all centers.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(UpdateProfileInput, 'The members of the profile to change.'),
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
