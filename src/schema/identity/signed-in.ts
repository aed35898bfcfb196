import type { landingKinds } from '../../domain/identity/landing.ts';
import type { SignedIn as SignedInShape } from '../../domain/identity/sessions.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../enum-values.ts';
import { ActorRole } from '../enums.ts';

const LandingKind = builder.enumType('LandingKind', {
  description: 'The landing page after signing in.',
  values: describedValues<(typeof landingKinds)[number]>({
    ADMIN_DASHBOARD: 'The dashboard of an administrator.',
    PARTNER_DASHBOARD: 'The overview of a partner with its centers.',
    TENANT: 'A single center.',
    TENANT_PICKER: 'A choice of several centers.',
    WAITING: 'The person waits for an invitation or an approval.',
    ONBOARDING: 'The person does not belong to a center yet.',
  }),
});

export const Landing = builder.objectRef<NonNullable<SignedInShape['landing']>>('Landing').implement({
  description: 'Where to go after signing in.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LandingKind, description: 'The page to show.' }),
    centerDomain: t.exposeString('centerDomain', {
      nullable: true,
      description: 'With TENANT, the center to open. With ADMIN_DASHBOARD, the center of the tokens, if any.',
    }),
  }),
});

const SignedInActor = builder.objectRef<SignedInShape['actor']>('SignedInActor').implement({
  description: 'The signed-in person.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the person.' }),
    email: t.exposeString('email', {
      description: 'The email address; empty for people who sign in by phone.',
    }),
    name: t.exposeString('name', { description: 'The name of the person.' }),
    role: t.expose('role', {
      type: ActorRole,
      description: 'The role in the current center, or the general role without a center.',
    }),
  }),
});

const SignedInCenter = builder.objectRef<NonNullable<SignedInShape['center']>>('SignedInCenter').implement({
  description: 'The center of the tokens.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the center.' }),
    name: t.exposeString('name', { description: 'The name of the center.' }),
    domain: t.exposeString('domain', { description: 'The domain slug of the center.' }),
  }),
});

/** The result of signing in, switching the center and refreshing. */
export const SignedIn = builder.objectRef<SignedInShape>('SignedIn').implement({
  description: 'A pair of tokens with the session they belong to.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', { description: 'The access token, sent as a bearer token.' }),
    refreshToken: t.exposeString('refreshToken', { description: 'The refresh token. It can be used once.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'The lifetime of the access token in seconds.' }),
    actor: t.field({
      type: SignedInActor,
      description: 'The signed-in person.',
      resolve: ({ actor }) => actor,
    }),
    center: t.field({
      type: SignedInCenter,
      nullable: true,
      description: 'The current center, or null.',
      resolve: ({ center }) => center,
    }),
    landing: t.field({
      type: Landing,
      nullable: true,
      description: 'The landing page; only when signing in.',
      resolve: ({ landing }) => landing,
    }),
  }),
});
