import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../../text/search.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside } from './frame.tsx';

/** Pages of a partner about all its centers. */
const partner = createRoute({
  getParentRoute: () => inside,
  path: '/partner',
  component: () => <PlaceShell place="partner" />,
});

const partnerDashboard = createRoute({
  getParentRoute: () => partner,
  path: '/',
  component: lazyRouteComponent(
    () => import('../../screens/partner/dashboard.tsx'),
    'PartnerDashboardScreen',
  ),
});

const partnerCenters = createRoute({
  getParentRoute: () => partner,
  path: '/centers',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/partner/centers.tsx'), 'PartnerCentersScreen'),
});

const partnerCenter = createRoute({
  getParentRoute: () => partner,
  path: '/centers/$id',
  component: lazyRouteComponent(() => import('../../screens/partner/center.tsx'), 'PartnerCenterScreen'),
});

const partnerMembers = createRoute({
  getParentRoute: () => partner,
  path: '/members',
  validateSearch: texts('search', 'status', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/partner/members.tsx'), 'PartnerMembersScreen'),
});

const partnerAudit = createRoute({
  getParentRoute: () => partner,
  path: '/audit',
  validateSearch: texts('from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/partner/audit.tsx'), 'PartnerAuditScreen'),
});

const partnerPayments = createRoute({
  getParentRoute: () => partner,
  path: '/payments',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/partner/payments.tsx'), 'PartnerPaymentsScreen'),
});

const whiteLabel = createRoute({
  getParentRoute: () => partner,
  path: '/white-label',
  component: lazyRouteComponent(() => import('../../screens/partner/white-label.tsx'), 'WhiteLabelScreen'),
});

export const partnerRoutes = partner.addChildren([
  partnerDashboard,
  partnerCenters,
  partnerCenter,
  partnerMembers,
  partnerAudit,
  partnerPayments,
  whiteLabel,
]);
