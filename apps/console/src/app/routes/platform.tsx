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
  page('/', 'InstallationScreen', [], () => import('../../screens/platform/installation.tsx')),
  page(
    '/partners',
    'PartnersScreen',
    ['search', 'after', 'before'],
    () => import('../../screens/platform/partners.tsx'),
  ),
  page('/partners/$id', 'PartnerScreen', [], () => import('../../screens/platform/partner.tsx')),
  page(
    '/users',
    'UsersScreen',
    ['search', 'after', 'before'],
    () => import('../../screens/platform/users.tsx'),
  ),
  page('/users/$id', 'UserScreen', [], () => import('../../screens/platform/users.tsx')),
  page(
    '/audit',
    'PlatformAuditScreen',
    ['types', 'from', 'to', 'after', 'before'],
    () => import('../../screens/platform/audit.tsx'),
  ),
  page(
    '/centers',
    'AllCentersScreen',
    ['search', 'status', 'partner', 'after', 'before'],
    () => import('../../screens/platform/centers.tsx'),
  ),
  page('/centers/$id', 'PlatformCenterScreen', [], () => import('../../screens/platform/center.tsx')),
]);
