import {
  createSsoToken,
  type SsoIdentity as SsoIdentityShape,
  ssoTokenInput,
  ssoVerifyInput,
  verifySsoToken,
} from '../../domain/identity/sso.ts';
import { builder } from '../builder.ts';
import { storedEnum } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Me } from './me.ts';

const TargetApp = storedEnum('TargetApp', 'A companion app that people enter with their session here.', {
  lms: 'The learning host, for courses and attendance.',
  cms: 'The content management app.',
  erp: 'The business management app.',
});

const SsoToken = builder.objectRef<Awaited<ReturnType<typeof createSsoToken>>>('SsoToken').implement({
  description: 'A token that signs a person in to a companion app, once.',
  fields: onlyProperties({
    token: ['String', 'The single-use token, shown only once.'],
    expiresAt: ['DateTime', 'When the token stops working, 120 seconds after its creation, in UTC.'],
  }),
});

const SsoIdentity = builder.objectRef<SsoIdentityShape>('SsoIdentity').implement({
  description: 'The person that a token signs in, and the app it is for.',
  fields: onlyProperties({
    person: [Me, 'The person that the token signs in.'],
    targetApp: [TargetApp, 'The companion app of the token.'],
  }),
});

const CreateSsoTokenInput = inputType('CreateSsoTokenInput', ssoTokenInput, {
  description: 'Which companion app to sign in to.',
  types: { targetApp: TargetApp },
});

const VerifySsoTokenInput = inputType('VerifySsoTokenInput', ssoVerifyInput, {
  description: 'A token presented to a companion app.',
  types: { targetApp: TargetApp },
});

builder.mutationFields((t) => ({
  createSsoToken: t.field({
    type: SsoToken,
    description: 'Creates a single-use token for a companion app.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(CreateSsoTokenInput, 'Which companion app to sign in to.'),
    resolve: (_, { input }, ctx) => createSsoToken(ctx, input.targetApp),
  }),
  verifySsoToken: t.field({
    type: SsoIdentity,
    description: 'Consumes a single-use token and returns its owner. The token itself is the credential.',
    authScopes: { access: { public: true } },
    args: inputArg(VerifySsoTokenInput, 'The token, and optionally the app that received it.'),
    resolve: (_, { input }, ctx) => verifySsoToken(ctx, input),
  }),
}));
