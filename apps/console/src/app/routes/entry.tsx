import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { landingPath, safeNext } from '../../session/landing.ts';
import { loadSession } from '../../session/session.ts';
import { texts } from '../../text/search.ts';
import { placeOf } from '../place.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside, root, sessionOf } from './frame.tsx';

/** Redirects signed-in users to their start page and all others to the sign-in page. */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const session = await loadSession();
    throw redirect({ href: session ? landingPath(session.me.landing) : '/sign-in', replace: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => texts('next', 'center')(search),
  beforeLoad: async ({ search: { next } }) => {
    const session = await loadSession();
    if (session) throw redirect({ href: safeNext(next) ?? landingPath(session.me.landing), replace: true });
  },
  component: lazyRouteComponent(() => import('../../screens/entry/sign-in.tsx'), 'SignInScreen'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => import('../../screens/entry/forgot-password.tsx'),
    'ForgotPasswordScreen',
  ),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../../screens/entry/invitation.tsx'), 'InvitationScreen'),
});

const roleChange = createRoute({
  getParentRoute: () => root,
  path: '/role-change',
  component: lazyRouteComponent(() => import('../../screens/entry/role-change.tsx'), 'RoleChangeScreen'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../../screens/entry/reset.tsx'), 'ResetScreen'),
});

const centers = createRoute({
  getParentRoute: () => inside,
  path: '/centers',
  component: lazyRouteComponent(() => import('../../screens/entry/centers.tsx'), 'CentersScreen'),
});

const waiting = createRoute({
  getParentRoute: () => inside,
  path: '/waiting',
  component: lazyRouteComponent(() => import('../../screens/entry/waiting.tsx'), 'WaitingScreen'),
});

const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../../screens/entry/welcome.tsx'), 'WelcomeScreen'),
});

/** Pages of the user's account, in the frame of the current place. */
const personal = createRoute({
  getParentRoute: () => inside,
  id: 'personal',
  component: function Personal() {
    const session = personal.useRouteContext({ select: sessionOf });
    return <PlaceShell place={placeOf(session)} />;
  },
});

const me = createRoute({
  getParentRoute: () => personal,
  path: '/me',
  component: lazyRouteComponent(() => import('../../screens/me/me.tsx'), 'MeScreen'),
});

export const entryRoutes = [home, signIn, forgotPassword, reset, roleChange, invitation] as const;
export const personalRoutes = [centers, waiting, welcome, personal.addChildren([me])] as const;
