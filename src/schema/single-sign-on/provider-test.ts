import {
  findProviderTest,
  type ProviderTestView,
  testIdentityProvider,
} from '../../domain/providers/provider-tests.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, orNull } from '../exposed.ts';
import { inputArg } from '../input-types.ts';
import { IdentityProviderInput } from './provider.ts';

const admins = { roles: ['ADMIN'] } as const;

const ProviderTestStatus = enumType<ProviderTestView['status']>(
  'ProviderTestStatus',
  'How far a test of an identity provider is.',
  {
    WAITING: 'The sign-in at the provider is not complete.',
    SUCCEEDED: 'A sign-in with these claims would succeed.',
    FAILED: 'The sign-in failed, or would fail with these claims; `code` and `reason` say why.',
    EXPIRED: 'The sign-in was not completed in time. Begin another test.',
  },
);

type Person = NonNullable<ProviderTestView['person']>;

const TestedAction = enumType<Person['action']>('TestedAction', 'What a sign-in would do with a person.', {
  SIGN_IN: 'Sign in the person that the subject belongs to.',
  BIND: 'Bind the subject to a person of the center from the directory, and sign in.',
  CONNECT: 'Ask the person to prove that an existing profile is theirs.',
  ACCEPT: 'Accept an invitation.',
  CREATE: 'Create a person of the center.',
});

const TestedPerson = builder.objectRef<Person>('TestedPerson').implement({
  description: 'The person that a sign-in would lead to.',
  fields: onlyProperties({
    membershipId: ['ID?', 'The id of the membership, `mbr_…`; null for a new person.'],
    name: ['String', 'As the center shows the person, or for a new one as the claims say.'],
    action: [TestedAction, 'What would happen.'],
  }),
});

const IdentityProviderTest = builder.objectRef<ProviderTestView>('IdentityProviderTest').implement({
  description: 'A test of provider settings, saved or not. It creates nothing.',
  fields: onlyProperties({
    id: ['ID', 'The id of the test, `ptt_…`.'],
    status: [ProviderTestStatus, 'How far the test is.'],
    code: ['String?', 'The error code that a person would see; null unless the test failed.'],
    reason: ['String?', 'Why the sign-in failed or would fail; null unless the test failed.'],
    claims: ['JSON?', 'The claims that the provider gave; null before the sign-in there.'],
    role: [orNull(ActorRole), 'The role that the person would have.'],
    person: [orNull(TestedPerson), 'The person that the sign-in would lead to.'],
    expiresAt: ['DateTime', 'When the test is forgotten, in UTC.'],
  }),
});

const StartedProviderTest = builder
  .objectRef<Awaited<ReturnType<typeof testIdentityProvider>>>('StartedProviderTest')
  .implement({
    description: 'A test that waits for a sign-in at the provider.',
    fields: onlyProperties({
      id: ['ID', 'The id of the test, `ptt_…`.'],
      url: ['String', 'The address to open in this browser within five minutes. It works once.'],
    }),
  });

builder.mutationField('testIdentityProvider', (t) =>
  t.field({
    type: StartedProviderTest,
    description: 'Begins a test of provider settings: a sign-in at the provider that creates nothing.',
    authScopes: { access: admins },
    args: inputArg(IdentityProviderInput, 'The settings to test. They are not saved.'),
    resolve: (_, { input }, ctx) => testIdentityProvider(ctx, input),
  }),
);

builder.queryField('identityProviderTest', (t) =>
  t.field({
    type: IdentityProviderTest,
    description: 'A test of provider settings that an ADMIN of the center began within the last hour.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'The id of the test, `ptt_…`.' }) },
    resolve: (_, { id }, ctx) => findProviderTest(ctx, String(id)),
  }),
);
