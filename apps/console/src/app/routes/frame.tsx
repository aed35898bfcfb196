import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loadSession, type Session, signInAddress } from '../../session/session.ts';
import { SessionContext } from '../../session/session-context.ts';
import { texts } from '../../text/search.ts';
import { ErrorPage, NotFoundPage } from '../error-pages.tsx';
import { loadModule } from '../load-module.ts';

export const root = createRootRoute({
  component: Outlet,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

/** Selects the session only: the rest of the route context changes with every navigation and would render the frame again. */
export const sessionOf = ({ session }: { session: Session }) => session;

/** All pages that require a session. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }): Promise<{ session: Session }> => {
    const session = await loadSession();
    if (!session) throw redirect({ href: signInAddress(location.href), replace: true });
    return { session };
  },
  component: function Inside() {
    const session = inside.useRouteContext({ select: sessionOf });
    return (
      <SessionContext value={session}>
        <Outlet />
      </SessionContext>
    );
  },
});

/**
 * Makes the pages below a route: path, query parameters, and the module, which is loaded when a page is opened. A module with
 * several pages exports the others by name.
 */
export const pagesBelow =
  <Parent extends AnyRoute>(parent: Parent) =>
  <Path extends string, Search extends string, Name extends string = 'default'>(
    path: Path,
    search: Search[],
    load: () => Promise<{ [Each in Name]: () => ReactNode }>,
    name?: Name,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      validateSearch: texts(...search),
      component: lazyRouteComponent(() => loadModule(load), name) as RouteComponent,
    });
