import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { landingPath, safeNext } from '../../session/landing.ts';
import { loadSession } from '../../session/session.ts';
import { texts } from '../../text/search.ts';
import { placeOf } from '../place.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside, pagesBelow, root, sessionOf } from './frame.tsx';

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
  validateSearch: (search: Record<string, unknown>) => texts('next', 'center', 'error', 'request')(search),
  beforeLoad: async ({ search: { next, error } }): Promise<{ signedIn: boolean }> => {
    const session = await loadSession();
    // A failed sign-in to another center is explained before the console opens again.
    if (session && error) return { signedIn: true };
    if (session) throw redirect({ href: safeNext(next) ?? landingPath(session.me.landing), replace: true });
    return { signedIn: false };
  },
  component: lazyRouteComponent(() => import('../../screens/entry/sign-in.tsx')),
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

const entryPage = pagesBelow(root);
const insidePage = pagesBelow(inside);

export const entryRoutes = [
  home,
  signIn,
  entryPage('/forgot-password', [], () => import('../../screens/entry/forgot-password.tsx')),
  entryPage('/reset', [], () => import('../../screens/entry/reset.tsx')),
  entryPage('/role-change', [], () => import('../../screens/entry/role-change.tsx')),
  entryPage('/connect', [], () => import('../../screens/entry/connect.tsx')),
  entryPage('/invitation', [], () => import('../../screens/entry/invitation.tsx')),
] as const;
export const personalRoutes = [
  insidePage('/centers', [], () => import('../../screens/entry/centers.tsx')),
  insidePage('/waiting', [], () => import('../../screens/entry/waiting.tsx')),
  insidePage('/welcome', [], () => import('../../screens/entry/welcome.tsx')),
  personal.addChildren([
    pagesBelow(personal)('/me', ['error', 'request'], () => import('../../screens/me/me.tsx')),
  ]),
] as const;
