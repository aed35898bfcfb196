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

const TargetApp = storedEnum('TargetApp', 'A companion app: learning, content, or business management.', {
  lms: 'The learning host.',
  cms: 'Content management.',
  erp: 'Business management.',
});

const SsoToken = builder.objectRef<Awaited<ReturnType<typeof createSsoToken>>>('SsoToken').implement({
  description: 'A token that signs a person in to a companion app, once.',
  fields: onlyProperties({
    token: ['String', 'The token, shown only once.'],
    expiresAt: ['DateTime', 'When it stops working.'],
  }),
});

const SsoIdentity = builder.objectRef<SsoIdentityShape>('SsoIdentity').implement({
  description: 'The owner and app of a token.',
  fields: onlyProperties({
    person: [Me, 'The person to sign in.'],
    targetApp: [TargetApp, 'The companion app of the token.'],
  }),
});

const CreateSsoTokenInput = inputType('CreateSsoTokenInput', ssoTokenInput, {
  description: 'The app to sign in to.',
  types: { targetApp: TargetApp },
  descriptions: { targetApp: 'The companion app.' },
});

const VerifySsoTokenInput = inputType('VerifySsoTokenInput', ssoVerifyInput, {
  description: 'A token presented to a companion app.',
  types: { targetApp: TargetApp },
  descriptions: { token: 'The token.' },
});

builder.mutationFields((t) => ({
  createSsoToken: t.field({
    type: SsoToken,
    description: 'Creates a single-use token for a companion app.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(CreateSsoTokenInput, 'The companion app.'),
    resolve: (_, { input }, ctx) => createSsoToken(ctx, input.targetApp),
  }),
  verifySsoToken: t.field({
    type: SsoIdentity,
    description: 'Consumes a single-use token and returns its owner. The token itself is the credential.',
    authScopes: { access: { public: true } },
    args: inputArg(VerifySsoTokenInput, 'The token and the requesting app.'),
    resolve: (_, { input }, ctx) => verifySsoToken(ctx, input),
  }),
}));
