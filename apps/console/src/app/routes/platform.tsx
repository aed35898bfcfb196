import { createRoute } from '@tanstack/react-router';
import { PlaceShell } from '../place-shell.tsx';
import { inside, pagesBelow } from './frame.tsx';

/** Pages of platform administrators. */
const platform = createRoute({
  getParentRoute: () => inside,
  path: '/platform',
  component: () => <PlaceShell place="platform" />,
});

const page = pagesBelow(platform);

export const platformRoutes = platform.addChildren([
  page('/', [], () => import('../../screens/platform/installation.tsx')),
  page('/partners', ['search', 'after', 'before'], () => import('../../screens/platform/partners.tsx')),
  page('/partners/$id', [], () => import('../../screens/platform/partner.tsx')),
  page('/users', ['search', 'after', 'before'], () => import('../../screens/platform/users.tsx')),
  page('/users/$id', [], () => import('../../screens/platform/user.tsx')),
  page(
    '/audit',
    ['types', 'from', 'to', 'after', 'before'],
    () => import('../../screens/platform/audit.tsx'),
  ),
  page(
    '/centers',
    ['search', 'status', 'partner', 'after', 'before'],
    () => import('../../screens/platform/centers.tsx'),
  ),
  page('/centers/$id', [], () => import('../../screens/platform/center.tsx')),
]);
