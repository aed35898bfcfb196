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
  page('/', 'HomeScreen', ['week', 'view', 'person'], () => import('../../screens/overview/home.tsx')),
  page(
    '/approvals',
    'ApprovalsScreen',
    ['event', 'sort', 'risk', 'agent', 'type'],
    () => import('../../screens/approvals/approvals.tsx'),
  ),
  page(
    '/decisions',
    'DecisionsScreen',
    ['status', 'type', 'tag', 'search', 'after', 'before'],
    () => import('../../screens/decisions/decisions.tsx'),
  ),
  page('/decisions/$id', 'DecisionScreen', [], () => import('../../screens/decisions/decision.tsx')),
  page(
    '/people',
    'PeopleScreen',
    ['status', 'role', 'search', 'after', 'before'],
    () => import('../../screens/people/people.tsx'),
  ),
  page('/people/$id', 'PersonScreen', [], () => import('../../screens/people/person.tsx')),
  page(
    '/records',
    'RecordsScreen',
    ['level', 'after', 'before'],
    () => import('../../screens/records/records.tsx'),
  ),
  page('/records/$id', 'RecordScreen', [], () => import('../../screens/records/record.tsx')),
  page(
    '/certificates/$id',
    'CertificateScreen',
    [],
    () => import('../../screens/certificates/certificate.tsx'),
  ),
  page(
    '/attendance',
    'AttendanceScreen',
    ['after', 'before'],
    () => import('../../screens/records/attendance.tsx'),
  ),
  page('/api-keys', 'KeysScreen', [], () => import('../../screens/keys/keys.tsx')),
  page(
    '/audit',
    'AuditScreen',
    ['person', 'types', 'target', 'from', 'to', 'after', 'before'],
    () => import('../../screens/audit/audit.tsx'),
  ),
  page('/webhooks', 'WebhooksScreen', [], () => import('../../screens/webhooks/webhooks.tsx')),
  page(
    '/webhooks/$id',
    'WebhookScreen',
    ['status', 'after', 'before', 'event'],
    () => import('../../screens/webhooks/webhook.tsx'),
  ),
  page('/workflows', 'WorkflowsScreen', [], () => import('../../screens/workflows/workflows.tsx')),
  page('/workflows/new', 'NewWorkflowScreen', [], () => import('../../screens/workflows/editor.tsx')),
  page(
    '/workflows/$id',
    'WorkflowScreen',
    ['after', 'before'],
    () => import('../../screens/workflows/workflow.tsx'),
  ),
  page('/workflows/$id/edit', 'EditWorkflowScreen', [], () => import('../../screens/workflows/editor.tsx')),
  page('/workflows/$id/runs/$run', 'RunScreen', [], () => import('../../screens/workflows/run.tsx')),
  page('/ledger', 'LedgerScreen', [], () => import('../../screens/ledger/ledger.tsx')),
  page('/ledger/$domain', 'ChainScreen', ['at'], () => import('../../screens/ledger/chain.tsx')),
  page(
    '/calendar',
    'CalendarScreen',
    ['week', 'view', 'instructor'],
    () => import('../../screens/calendar/calendar.tsx'),
  ),
  page(
    '/certificates',
    'CertificatesScreen',
    ['after', 'before'],
    () => import('../../screens/certificates/certificates.tsx'),
  ),
  page('/policies', 'PoliciesScreen', [], () => import('../../screens/policies/policies.tsx')),
  page('/groups', 'GroupsScreen', [], () => import('../../screens/groups/groups.tsx')),
  page('/mandates', 'MandatesScreen', [], () => import('../../screens/mandates/mandates.tsx')),
  page('/settings', 'SettingsScreen', [], () => import('../../screens/settings/settings.tsx')),
  page('/subscription', 'SubscriptionScreen', [], () => import('../../screens/settings/subscription.tsx')),
]);
