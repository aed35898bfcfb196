import type { landingKinds } from '../../domain/identity/landing.ts';
import type { SignedIn as SignedInShape } from '../../domain/identity/sessions.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, orNull } from '../exposed.ts';

const LandingKind = enumType<(typeof landingKinds)[number]>(
  'LandingKind',
  'Which page to show after signing in.',
  {
    ADMIN_DASHBOARD: 'An ADMIN of a center or a platform admin: the administration.',
    PARTNER_DASHBOARD: 'An account of a partner without a center: the overview of the partner.',
    TENANT: 'One center, named by `centerDomain`.',
    TENANT_PICKER: 'Several centers to choose from.',
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
  description: 'The person who signed in.',
  fields: onlyProperties({
    id: ['ID', 'The id of the person, a UUID.'],
    email: ['String', 'The email address; empty for people who sign in by phone.'],
    name: ['String', 'The name of the person, as in their profile.'],
    role: [
      ActorRole,
      'The role in the current center; without one, the role that the account has in general.',
    ],
  }),
});

const SignedInCenter = builder.objectRef<NonNullable<SignedInShape['center']>>('SignedInCenter').implement({
  description: 'The center that the tokens are for.',
  fields: onlyProperties({
    id: ['Int', 'The id of the center, a positive integer.'],
    name: ['String', 'The name of the center that people see.'],
    domain: ['String', 'The domain slug of the center.'],
  }),
});

/** The result of signing in, switching the center and refreshing. */
export const SignedIn = builder.objectRef<SignedInShape>('SignedIn').implement({
  description: 'A pair of tokens with the session they belong to.',
  fields: onlyProperties({
    accessToken: ['String', 'The access token, a JWT, sent as a bearer token.'],
    refreshToken: ['String', 'The refresh token for the next pair. It can be used once, within 30 days.'],
    expiresIn: ['Int', 'The lifetime of the access token in seconds.'],
    actor: [SignedInActor, 'The person who signed in.'],
    center: [
      orNull(SignedInCenter),
      'The center that the tokens are for; null if the person can enter none.',
    ],
    landing: [orNull(Landing), 'The page to show; null when refreshing or switching.'],
  }),
});
