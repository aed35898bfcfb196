import { lastVisitedCenter, refreshTokenOf, setSessionCookies } from '../../api/session-cookies.ts';
import { refreshInputOrCookie, refreshSession } from '../../domain/identity/refresh.ts';
import { signIn, signInInput } from '../../domain/identity/sign-in.ts';
import { switchCenter } from '../../domain/identity/switch-center.ts';
import { builder } from '../builder.ts';
import { SignedIn } from './signed-in.ts';

const SignInInput = builder
  .inputType('SignInInput', {
    description: 'An email address or phone number, and the password.',
    fields: (t) => ({
      email: t.string({ description: 'The email address of the account.' }),
      phone: t.string({ description: 'The phone number of the account, as an alternative to the email.' }),
      password: t.string({ required: true, description: 'The password of the account.' }),
      centerDomain: t.string({ description: 'The center to enter directly.' }),
    }),
  })
  .validate(signInInput);

const RefreshSessionInput = builder
  .inputType('RefreshSessionInput', {
    description: 'A refresh token.',
    fields: (t) => ({
      refreshToken: t.string({
        description: 'The newest refresh token of the session. Browsers send it in a cookie.',
      }),
    }),
  })
  .validate(refreshInputOrCookie);

const SwitchCenterInput = builder.inputType('SwitchCenterInput', {
  description: 'The center to switch to.',
  fields: (t) => ({ centerId: t.int({ required: true, description: 'The id of the center.' }) }),
});

builder.mutationFields((t) => ({
  signIn: t.field({
    type: SignedIn,
    description: 'Signs in with a password.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: SignInInput,
        required: true,
        description: 'The email address or phone number, and the password.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await signIn(ctx, input, lastVisitedCenter(ctx))),
  }),
  refreshSession: t.field({
    type: SignedIn,
    description: 'Exchanges a refresh token for a new pair. Reusing an old one ends the session.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: RefreshSessionInput,
        description: 'The refresh token. Default: the cookie.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await refreshSession(ctx, refreshTokenOf(ctx, input?.refreshToken))),
  }),
  switchCenter: t.field({
    type: SignedIn,
    description: 'Switches the session to another center and returns new tokens.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: SwitchCenterInput, required: true, description: 'The center to switch to.' }),
    },
    resolve: async (_, { input }, ctx) => setSessionCookies(ctx, await switchCenter(ctx, input.centerId)),
  }),
}));
