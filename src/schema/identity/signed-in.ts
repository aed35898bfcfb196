import type { landingKinds } from '../../domain/identity/landing.ts';
import type { SignedIn as SignedInShape } from '../../domain/identity/sessions.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, orNull } from '../exposed.ts';

const LandingKind = enumType<(typeof landingKinds)[number]>(
  'LandingKind',
  'The landing page after signing in.',
  {
    ADMIN_DASHBOARD: 'The dashboard of an administrator.',
    PARTNER_DASHBOARD: 'The overview of a partner with its centers.',
    TENANT: 'A single center.',
    TENANT_PICKER: 'A choice of several centers.',
    WAITING: 'The person waits for an invitation or an approval.',
    ONBOARDING: 'The person does not belong to a center yet.',
  },
);

export const Landing = builder.objectRef<NonNullable<SignedInShape['landing']>>('Landing').implement({
  description: 'Where to go after signing in.',
  fields: onlyProperties({
    kind: [LandingKind, 'The page to show.'],
    centerDomain: [
      'String?',
      'With TENANT, the center to open. With ADMIN_DASHBOARD, the center of the tokens, if any.',
    ],
  }),
});

const SignedInActor = builder.objectRef<SignedInShape['actor']>('SignedInActor').implement({
  description: 'The signed-in person.',
  fields: onlyProperties({
    id: ['ID', 'The id of the person.'],
    email: ['String', 'The email address; empty for people who sign in by phone.'],
    name: ['String', 'The name of the person.'],
    role: [ActorRole, 'The role in the current center, or the general role without a center.'],
  }),
});

const SignedInCenter = builder.objectRef<NonNullable<SignedInShape['center']>>('SignedInCenter').implement({
  description: 'The center of the tokens.',
  fields: onlyProperties({
    id: ['Int', 'The id of the center.'],
    name: ['String', 'The name of the center.'],
    domain: ['String', 'The domain slug of the center.'],
  }),
});

/** The result of signing in, switching the center and refreshing. */
export const SignedIn = builder.objectRef<SignedInShape>('SignedIn').implement({
  description: 'A pair of tokens with the session they belong to.',
  fields: onlyProperties({
    accessToken: ['String', 'The access token, sent as a bearer token.'],
    refreshToken: ['String', 'The refresh token. It can be used once.'],
    expiresIn: ['Int', 'The lifetime of the access token in seconds.'],
    actor: [SignedInActor, 'The signed-in person.'],
    center: [orNull(SignedInCenter), 'The current center, or null.'],
    landing: [orNull(Landing), 'The landing page; only when signing in.'],
  }),
});
