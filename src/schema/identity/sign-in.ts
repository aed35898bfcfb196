import { lastVisitedCenter, refreshTokenOf, setSessionCookies } from '../../api/session-cookies.ts';
import { refreshInputOrCookie, refreshSession } from '../../domain/identity/refresh.ts';
import { signIn, signInInput } from '../../domain/identity/sign-in.ts';
import { switchCenter } from '../../domain/identity/switch-center.ts';
import { builder } from '../builder.ts';
import { SignedIn } from './signed-in.ts';

const SignInInput = builder
  .inputType('SignInInput', {
    description: 'Who wants in: an email or a phone number, and the password.',
    fields: (t) => ({
      email: t.string({ description: 'The address of the account.' }),
      phone: t.string({ description: 'The phone number of the account, in place of an email.' }),
      password: t.string({ required: true, description: 'The password of the account.' }),
      centerDomain: t.string({ description: 'The center to enter directly.' }),
    }),
  })
  .validate(signInInput);

const RefreshSessionInput = builder
  .inputType('RefreshSessionInput', {
    description: 'A refresh token to trade in.',
    fields: (t) => ({
      refreshToken: t.string({
        description: 'The newest refresh token of the session; browsers bring it in a cookie instead.',
      }),
    }),
  })
  .validate(refreshInputOrCookie);

const SwitchCenterInput = builder.inputType('SwitchCenterInput', {
  description: 'The center that the session goes to.',
  fields: (t) => ({ centerId: t.int({ required: true, description: 'The number of the center.' }) }),
});

builder.mutationFields((t) => ({
  signIn: t.field({
    type: SignedIn,
    description: 'Opens a session for whoever knows the password.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: SignInInput,
        required: true,
        description: 'The address or phone number, and the password.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await signIn(ctx, input, lastVisitedCenter(ctx))),
  }),
  refreshSession: t.field({
    type: SignedIn,
    description: 'Trades a refresh token for a new pair; one that was traded before ends its session.',
    authScopes: { access: { public: true } },
    args: {
      input: t.arg({
        type: RefreshSessionInput,
        description: 'The refresh token; the one of the cookie when left out.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await refreshSession(ctx, refreshTokenOf(ctx, input?.refreshToken))),
  }),
  switchCenter: t.field({
    type: SignedIn,
    description: 'Moves the session into another center and gives a new pair of tokens for it.',
    authScopes: { access: { signedIn: true } },
    args: {
      input: t.arg({ type: SwitchCenterInput, required: true, description: 'Which center to go to.' }),
    },
    resolve: async (_, { input }, ctx) => setSessionCookies(ctx, await switchCenter(ctx, input.centerId)),
  }),
}));
