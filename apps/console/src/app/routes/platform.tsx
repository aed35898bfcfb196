import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../../text/search.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside } from './frame.tsx';

/** Pages of platform administrators. */
const platform = createRoute({
  getParentRoute: () => inside,
  path: '/platform',
  component: () => <PlaceShell place="platform" />,
});

const installation = createRoute({
  getParentRoute: () => platform,
  path: '/',
  component: lazyRouteComponent(
    () => import('../../screens/platform/installation.tsx'),
    'InstallationScreen',
  ),
});

const partners = createRoute({
  getParentRoute: () => platform,
  path: '/partners',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/platform/partners.tsx'), 'PartnersScreen'),
});

const onePartner = createRoute({
  getParentRoute: () => platform,
  path: '/partners/$id',
  component: lazyRouteComponent(() => import('../../screens/platform/partner.tsx'), 'PartnerScreen'),
});

const users = createRoute({
  getParentRoute: () => platform,
  path: '/users',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/platform/users.tsx'), 'UsersScreen'),
});

const user = createRoute({
  getParentRoute: () => platform,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('../../screens/platform/users.tsx'), 'UserScreen'),
});

const platformAudit = createRoute({
  getParentRoute: () => platform,
  path: '/audit',
  validateSearch: texts('types', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/platform/audit.tsx'), 'PlatformAuditScreen'),
});

const allCenters = createRoute({
  getParentRoute: () => platform,
  path: '/centers',
  validateSearch: texts('search', 'status', 'partner', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/platform/centers.tsx'), 'AllCentersScreen'),
});

const anyCenter = createRoute({
  getParentRoute: () => platform,
  path: '/centers/$id',
  component: lazyRouteComponent(() => import('../../screens/platform/center.tsx'), 'PlatformCenterScreen'),
});

export const platformRoutes = platform.addChildren([
  installation,
  partners,
  onePartner,
  users,
  user,
  platformAudit,
  allCenters,
  anyCenter,
]);
