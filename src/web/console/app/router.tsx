import { createRouter } from '@tanstack/react-router';
import { Broken, NotHere } from './broken.tsx';
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
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotHere,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
