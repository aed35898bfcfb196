import { createRouter } from '@tanstack/react-router';
import { ErrorPage, NotFoundPage } from './error-pages.tsx';
import { centerRoutes } from './routes/center.tsx';
import { entryRoutes, personalRoutes } from './routes/entry.tsx';
import { inside, root } from './routes/frame.tsx';
import { partnerRoutes } from './routes/partner.tsx';
import { platformRoutes } from './routes/platform.tsx';

export const router = createRouter({
  routeTree: root.addChildren([
    ...entryRoutes,
    inside.addChildren([...personalRoutes, partnerRoutes, platformRoutes, centerRoutes]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
