import { createRoute } from '@tanstack/react-router';
import { PlaceShell } from '../place-shell.tsx';
import { inside, pagesBelow } from './frame.tsx';

/** Pages of a partner about all its centers. */
const partner = createRoute({
  getParentRoute: () => inside,
  path: '/partner',
  component: () => <PlaceShell place="partner" />,
});

const page = pagesBelow(partner);

export const partnerRoutes = partner.addChildren([
  page('/', [], () => import('../../screens/partner/dashboard.tsx')),
  page('/centers', ['search', 'after', 'before'], () => import('../../screens/partner/centers.tsx')),
  page('/centers/$id', [], () => import('../../screens/partner/center.tsx')),
  page(
    '/members',
    ['search', 'status', 'after', 'before'],
    () => import('../../screens/partner/members.tsx'),
  ),
  page('/audit', ['from', 'to', 'after', 'before'], () => import('../../screens/partner/audit.tsx')),
  page('/payments', ['after', 'before'], () => import('../../screens/partner/payments.tsx')),
  page('/white-label', [], () => import('../../screens/partner/white-label.tsx')),
]);
