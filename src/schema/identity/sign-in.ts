import { lastVisitedCenter, refreshTokenOf, setSessionCookies } from '../../api/session-cookies.ts';
import { refreshInputOrCookie, refreshSession } from '../../domain/identity/refresh.ts';
import { signIn, signInInput } from '../../domain/identity/sign-in.ts';
import { switchCenter, switchCenterInput } from '../../domain/identity/switch-center.ts';
import { builder } from '../builder.ts';
import { inputArg, inputType } from '../input-types.ts';
import { SignedIn } from './signed-in.ts';

const SignInInput = inputType('SignInInput', signInInput, {
  description: 'An email address or phone number, and the password.',
});

const RefreshSessionInput = inputType('RefreshSessionInput', refreshInputOrCookie, {
  description: 'The refresh token to exchange for a new pair.',
});

const SwitchCenterInput = inputType('SwitchCenterInput', switchCenterInput, {
  description: 'The center that the session moves to.',
});

builder.mutationFields((t) => ({
  signIn: t.field({
    type: SignedIn,
    description: 'Signs in with a password.',
    authScopes: { access: { public: true } },
    args: inputArg(SignInInput, 'The email address or phone number, and the password.'),
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
        description: 'The refresh token. Default: the one in the cookie.',
      }),
    },
    resolve: async (_, { input }, ctx) =>
      setSessionCookies(ctx, await refreshSession(ctx, refreshTokenOf(ctx, input?.refreshToken))),
  }),
  switchCenter: t.field({
    type: SignedIn,
    description: 'Switches the session to another center and returns new tokens.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(SwitchCenterInput, 'The center that the session moves to.'),
    resolve: async (_, { input }, ctx) => setSessionCookies(ctx, await switchCenter(ctx, input.centerId)),
  }),
}));
