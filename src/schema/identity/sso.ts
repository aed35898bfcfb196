import type * as enums from '../../db/generated/prisma/enums.ts';
import {
  createSsoToken,
  type SsoIdentity as SsoIdentityShape,
  ssoVerifyInput,
  verifySsoToken,
} from '../../domain/identity/sso.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { Me } from './me.ts';

const TargetApp = builder.enumType('TargetApp', {
  description: 'A companion app: learning, content, or business management.',
  values: worded<enums.TargetApp>({
    lms: 'The learning host.',
    cms: 'The management of content.',
    erp: 'The management of the business.',
  }),
});

const SsoToken = builder.objectRef<Awaited<ReturnType<typeof createSsoToken>>>('SsoToken').implement({
  description: 'A token that signs a person in to a companion app, once.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token itself, shown this once.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it stops working.' }),
  }),
});

const SsoIdentity = builder.objectRef<SsoIdentityShape>('SsoIdentity').implement({
  description: 'Whose token it was, and for which app.',
  fields: (t) => ({
    person: t.field({
      type: Me,
      description: 'The person whom the app may sign in.',
      resolve: ({ person }) => person,
    }),
    targetApp: t.expose('targetApp', {
      type: TargetApp,
      description: 'The companion app that the token was made for.',
    }),
  }),
});

const CreateSsoTokenInput = builder.inputType('CreateSsoTokenInput', {
  description: 'The app to sign in to.',
  fields: (t) => ({
    targetApp: t.field({
      type: TargetApp,
      required: true,
      description: 'The companion app that will sign the person in.',
    }),
  }),
});

const VerifySsoTokenInput = builder
  .inputType('VerifySsoTokenInput', {
    description: 'A token that somebody brought to a companion app.',
    fields: (t) => ({
      token: t.string({ required: true, description: 'The token, as the person brought it.' }),
      targetApp: t.field({ type: TargetApp, description: 'The app that asks; it must be the right one.' }),
    }),
  })
  .validate(ssoVerifyInput);

builder.mutationFields((t) => ({
  createSsoToken: t.field({
    type: SsoToken,
    description: 'Makes a single-use token for a companion app.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({
        type: CreateSsoTokenInput,
        required: true,
        description: 'Which companion app it is for.',
      }),
    },
    resolve: (_, { input }, ctx) => createSsoToken(ctx, input.targetApp),
  }),
  verifySsoToken: t.field({
    type: SsoIdentity,
    description: 'Consumes a single-use token and tells whose it is. The token itself is the credential.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: VerifySsoTokenInput,
        required: true,
        description: 'The token that was brought, and the app that asks.',
      }),
    },
    resolve: (_, { input }, ctx) => verifySsoToken(ctx, input),
  }),
}));
