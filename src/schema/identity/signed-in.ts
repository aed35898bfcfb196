import type { landingKinds } from '../../domain/identity/landing.ts';
import type { SignedIn as SignedInShape } from '../../domain/identity/sessions.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { ActorRole } from '../enums.ts';

const LandingKind = builder.enumType('LandingKind', {
  description: 'The page on which a person arrives after signing in.',
  values: worded<(typeof landingKinds)[number]>({
    ADMIN_DASHBOARD: 'The desk of whoever runs an open center or the platform.',
    PARTNER_DASHBOARD: 'The overview of a partner with its centers.',
    TENANT: 'The one center that the person belongs to, or named.',
    TENANT_PICKER: 'A choice among several centers.',
    WAITING: 'Nothing is open yet: an invitation or an approval is awaited.',
    ONBOARDING: 'The person belongs to no center so far.',
  }),
});

export const Landing = builder.objectRef<NonNullable<SignedInShape['landing']>>('Landing').implement({
  description: 'Where to go after signing in.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LandingKind, description: 'Which page to show.' }),
    centerDomain: t.exposeString('centerDomain', {
      nullable: true,
      description: 'The tenant to open, with TENANT; the center of the tokens, if any, with ADMIN_DASHBOARD.',
    }),
  }),
});

const SignedInActor = builder.objectRef<SignedInShape['actor']>('SignedInActor').implement({
  description: 'Who has signed in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the person.' }),
    email: t.exposeString('email', { description: 'The address; empty for people who sign in by phone.' }),
    name: t.exposeString('name', { description: 'What the person is called.' }),
    role: t.expose('role', {
      type: ActorRole,
      description: 'The role in the current center; without one, what the person is in general.',
    }),
  }),
});

const SignedInCenter = builder.objectRef<NonNullable<SignedInShape['center']>>('SignedInCenter').implement({
  description: 'The center that the tokens open.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Names the center.' }),
    name: t.exposeString('name', { description: 'What the center is called.' }),
    domain: t.exposeString('domain', { description: 'The slug that names the center in addresses.' }),
  }),
});

/** What signing in, switching the center and refreshing answer. */
export const SignedIn = builder.objectRef<SignedInShape>('SignedIn').implement({
  description: 'A pair of tokens and what they open.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'Send it as a bearer token.' }),
    refreshToken: t.exposeString('refreshToken', { description: 'Good for one new pair.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'Seconds for which the access token is good.' }),
    actor: t.field({ type: SignedInActor, description: 'Who has signed in.', resolve: ({ actor }) => actor }),
    center: t.field({
      type: SignedInCenter,
      nullable: true,
      description: 'The current center; null when none may be entered.',
      resolve: ({ center }) => center,
    }),
    landing: t.field({
      type: Landing,
      nullable: true,
      description: 'Where to go; given when signing in.',
      resolve: ({ landing }) => landing,
    }),
  }),
});
