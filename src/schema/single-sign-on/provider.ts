import { type ProviderSettings, providerSettings } from '../../domain/identities/settings.ts';
import { findProvider } from '../../domain/providers/checked-settings.ts';
import { listFailures } from '../../domain/providers/failures.ts';
import {
  identityProviderInput,
  requiredClaimInput,
  roleByGroupInput,
} from '../../domain/providers/provider-input.ts';
import {
  providerAddresses,
  removeIdentityProvider,
  saveIdentityProvider,
} from '../../domain/providers/settings.ts';
import { builder } from '../builder.ts';
import { ActorRole } from '../enums.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';

const admins = { roles: ['ADMIN'] } as const;

const ProviderAddresses = builder
  .objectRef<ReturnType<typeof providerAddresses>>('ProviderAddresses')
  .implement({
    description: 'The addresses of this service to enter at an identity provider and in a directory.',
    fields: onlyProperties({
      redirectUri: ['String', 'The redirect URI of the client at the provider.'],
      backchannelLogoutUri: ['String', 'The back-channel logout URI of the client at the provider.'],
      scimUrl: ['String', 'The base URL of SCIM 2.0, for the directory.'],
    }),
  });

const RoleByGroup = builder.objectRef<ProviderSettings['roleByGroup'][number]>('RoleByGroup').implement({
  description: 'The role that a group of the provider gives.',
  fields: onlyProperties({
    group: ['String', 'The group as the claim has it.'],
    role: [ActorRole, 'The role that the group gives.'],
  }),
});

const RequiredClaim = builder
  .objectRef<ProviderSettings['requiredClaims'][number]>('RequiredClaim')
  .implement({
    description: 'A claim that every sign-in must have.',
    fields: onlyProperties({
      claim: ['String', 'The name of the claim.'],
      value: ['String', 'The value that the claim has, or contains if it is a list.'],
    }),
  });

type Failure = Awaited<ReturnType<typeof listFailures>>[number];

const ProviderFailure = builder.objectRef<Failure>('ProviderFailure').implement({
  description: 'A sign-in through the provider that failed.',
  fields: (t) => ({
    ...columnsOf('ProviderFailure', t, {
      at: 'When the sign-in failed, in UTC.',
      code: 'The error code that the person saw, such as `NO_MEMBERSHIP`.',
      reason: 'Why it failed, for the administrator.',
      requestId: 'The request id that the person saw.',
    }),
  }),
});

type Provider = NonNullable<Awaited<ReturnType<typeof findProvider>>>;

const IdentityProvider = builder.objectRef<Provider>('IdentityProvider').implement({
  description:
    'The OpenID Connect provider with which members of the center sign in. The secret is never shown.',
  authScopes: { access: admins },
  fields: (t) => ({
    ...columnsOf('IdentityProvider', t, {
      name: 'The name on the sign-in button.',
      issuer: 'The issuer URL.',
      clientId: 'The id of the client that is registered at the provider.',
      scopes: 'The scopes that are requested.',
      groupsClaim: 'The claim with the groups of a person; null without one.',
      defaultRole: 'The role of a person in none of the groups; null refuses such a person.',
      externalIdClaim: 'The claim that equals the `externalId` of users from SCIM.',
      createOnSignIn: 'Whether a person that the center does not know becomes a member at the first sign-in.',
      sessionHours: 'How many hours after the sign-in a session ends.',
      required: 'Whether passwords and passkeys no longer open the center, except for emergency access.',
      testedAt: 'When a test of these settings last succeeded; null if none has.',
      createdAt: 'When the provider was set up, in UTC.',
      updatedAt: 'When the settings last changed, in UTC.',
    }),
    roleByGroup: t.field({
      type: [RoleByGroup],
      description: 'The first entry whose group a person is in sets the role at every sign-in.',
      resolve: (row) => providerSettings(row).roleByGroup,
    }),
    requiredClaims: t.field({
      type: [RequiredClaim],
      description: 'Claims that every sign-in must have.',
      resolve: (row) => providerSettings(row).requiredClaims,
    }),
    redirectUri: t.string({
      description: 'The redirect URI to register at the provider.',
      resolve: (_, __, ctx) => providerAddresses(ctx).redirectUri,
    }),
    backchannelLogoutUri: t.string({
      description: 'The back-channel logout URI to register at the provider.',
      resolve: (_, __, ctx) => providerAddresses(ctx).backchannelLogoutUri,
    }),
    scimUrl: t.string({
      description: 'The base URL of SCIM 2.0 to enter in the directory.',
      resolve: (_, __, ctx) => providerAddresses(ctx).scimUrl,
    }),
    failures: t.field({
      type: [ProviderFailure],
      description: 'The newest 20 failed sign-ins, newest first.',
      complexity: 20,
      resolve: (_, __, ctx) => listFailures(ctx),
    }),
  }),
});

const RoleByGroupInput = nestedInput('RoleByGroupInput', roleByGroupInput, {
  description: 'The role that a group of the provider gives.',
  types: { role: ActorRole },
});

const RequiredClaimInput = nestedInput('RequiredClaimInput', requiredClaimInput, {
  description: 'A claim that every sign-in must have.',
});

export const IdentityProviderInput = inputType('IdentityProviderInput', identityProviderInput, {
  description: 'The settings of an identity provider. They replace the present ones as a whole.',
  types: { roleByGroup: RoleByGroupInput, requiredClaims: RequiredClaimInput, defaultRole: ActorRole },
});

builder.queryFields((t) => ({
  identityProvider: t.field({
    type: IdentityProvider,
    nullable: true,
    description: "The center's identity provider; null if it has none.",
    authScopes: { access: admins },
    resolve: (_, __, ctx) => findProvider(ctx),
  }),
  providerAddresses: t.field({
    type: ProviderAddresses,
    description: 'The addresses to enter at an identity provider and in a directory.',
    authScopes: { access: admins },
    resolve: (_, __, ctx) => providerAddresses(ctx),
  }),
}));

builder.mutationFields((t) => ({
  saveIdentityProvider: t.field({
    type: IdentityProvider,
    description:
      'Sets up or changes the identity provider of the center. Another issuer or client ends the sessions that the old one opened.',
    authScopes: { access: admins },
    args: inputArg(IdentityProviderInput, 'The settings of the provider.'),
    resolve: (_, { input }, ctx) => saveIdentityProvider(ctx, input),
  }),
  removeIdentityProvider: t.boolean({
    description: 'Removes the identity provider of the center and ends the sessions that it opened.',
    authScopes: { access: admins },
    resolve: (_, __, ctx) => removeIdentityProvider(ctx),
  }),
}));
