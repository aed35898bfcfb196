import { createRoute, redirect } from '@tanstack/react-router';
import { enterCenter, type Session, signInAddress } from '../../session/session.ts';
import { SessionContext } from '../../session/session-context.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside, pagesBelow, sessionOf } from './frame.tsx';

/** One center. If the address names another center than the session, the session switches to it first. */
const center = createRoute({
  getParentRoute: () => inside,
  path: '/c/$center',
  beforeLoad: async ({ params, context: { session } }): Promise<{ session: Session }> => {
    if (session.me.centerDomain === params.center) return { session };
    const wanted = session.centers.find(({ centerDomain }) => centerDomain === params.center);
    if (!wanted) throw redirect({ to: '/centers', replace: true });
    const entered = await enterCenter(wanted.id);
    if (!entered) throw redirect({ href: signInAddress(location.pathname), replace: true });
    return { session: entered };
  },
  component: function InsideCenter() {
    const session = center.useRouteContext({ select: sessionOf });
    return (
      <SessionContext value={session}>
        <PlaceShell place="center" />
      </SessionContext>
    );
  },
});

const page = pagesBelow(center);

export const centerRoutes = center.addChildren([
  page('/', ['week', 'view', 'person'], () => import('../../screens/overview/home.tsx')),
  page(
    '/approvals',
    ['event', 'sort', 'risk', 'agent', 'type'],
    () => import('../../screens/approvals/approvals.tsx'),
  ),
  page(
    '/decisions',
    ['status', 'type', 'tag', 'search', 'after', 'before'],
    () => import('../../screens/decisions/decisions.tsx'),
  ),
  page('/decisions/$id', [], () => import('../../screens/decisions/decision.tsx')),
  page(
    '/people',
    ['status', 'role', 'search', 'after', 'before'],
    () => import('../../screens/people/people.tsx'),
  ),
  page('/people/$id', [], () => import('../../screens/people/person.tsx')),
  page('/records', ['level', 'after', 'before'], () => import('../../screens/records/records.tsx')),
  page('/records/$id', [], () => import('../../screens/records/record.tsx')),
  page('/certificates/$id', [], () => import('../../screens/certificates/certificate.tsx')),
  page('/attendance', ['after', 'before'], () => import('../../screens/records/attendance.tsx')),
  page('/api-keys', ['after', 'before'], () => import('../../screens/keys/keys.tsx')),
  page(
    '/audit',
    ['person', 'types', 'target', 'from', 'to', 'after', 'before'],
    () => import('../../screens/audit/audit.tsx'),
  ),
  page('/webhooks', [], () => import('../../screens/webhooks/webhooks.tsx')),
  page(
    '/webhooks/$id',
    ['status', 'after', 'before', 'event'],
    () => import('../../screens/webhooks/webhook.tsx'),
  ),
  page('/workflows', [], () => import('../../screens/workflows/workflows.tsx')),
  page('/workflows/new', [], () => import('../../screens/workflows/editor.tsx'), 'NewWorkflowScreen'),
  page('/workflows/$id', ['after', 'before'], () => import('../../screens/workflows/workflow.tsx')),
  page('/workflows/$id/edit', [], () => import('../../screens/workflows/editor.tsx'), 'EditWorkflowScreen'),
  page('/workflows/$id/runs/$run', [], () => import('../../screens/workflows/run.tsx')),
  page('/ledger', [], () => import('../../screens/ledger/ledger.tsx')),
  page('/ledger/$domain', ['at'], () => import('../../screens/ledger/chain.tsx')),
  page('/calendar', ['week', 'view', 'instructor'], () => import('../../screens/calendar/calendar.tsx')),
  page('/certificates', ['after', 'before'], () => import('../../screens/certificates/certificates.tsx')),
  page('/policies', [], () => import('../../screens/policies/policies.tsx')),
  page('/policies/new', [], () => import('../../screens/policies/policy-editor.tsx'), 'NewPolicyScreen'),
  page('/policies/$id', [], () => import('../../screens/policies/policy-page.tsx')),
  page(
    '/policies/$id/edit',
    [],
    () => import('../../screens/policies/policy-editor.tsx'),
    'EditPolicyScreen',
  ),
  page('/groups', ['after', 'before'], () => import('../../screens/groups/groups.tsx')),
  page('/mandates', ['after', 'before'], () => import('../../screens/mandates/mandates.tsx')),
  page('/mandates/$id', [], () => import('../../screens/mandates/mandate-page.tsx')),
  page('/settings', [], () => import('../../screens/settings/settings.tsx')),
  page('/settings/sign-in', ['test'], () => import('../../screens/settings/sign-in/sign-in-settings.tsx')),
  page('/subscription', [], () => import('../../screens/settings/subscription.tsx')),
]);
