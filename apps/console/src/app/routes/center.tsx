import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { enterCenter, type Session, signInAddress } from '../../session/session.ts';
import { SessionContext } from '../../session/session-context.ts';
import { texts } from '../../text/search.ts';
import { PlaceShell } from '../place-shell.tsx';
import { inside, sessionOf } from './frame.tsx';

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

/** The start page of each role. */
const overview = createRoute({
  getParentRoute: () => center,
  path: '/',
  validateSearch: texts('week', 'view', 'person'),
  component: lazyRouteComponent(() => import('../../screens/overview/home.tsx'), 'HomeScreen'),
});

const approvals = createRoute({
  getParentRoute: () => center,
  path: '/approvals',
  validateSearch: texts('event', 'sort', 'risk', 'agent', 'type'),
  component: lazyRouteComponent(() => import('../../screens/approvals/approvals.tsx'), 'ApprovalsScreen'),
});

const decisions = createRoute({
  getParentRoute: () => center,
  path: '/decisions',
  validateSearch: texts('status', 'type', 'tag', 'search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/decisions/decisions.tsx'), 'DecisionsScreen'),
});

const decision = createRoute({
  getParentRoute: () => center,
  path: '/decisions/$id',
  component: lazyRouteComponent(() => import('../../screens/decisions/decision.tsx'), 'DecisionScreen'),
});

const people = createRoute({
  getParentRoute: () => center,
  path: '/people',
  validateSearch: texts('status', 'role', 'search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/people/people.tsx'), 'PeopleScreen'),
});

const person = createRoute({
  getParentRoute: () => center,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('../../screens/people/person.tsx'), 'PersonScreen'),
});

const records = createRoute({
  getParentRoute: () => center,
  path: '/records',
  validateSearch: texts('level', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/records/records.tsx'), 'RecordsScreen'),
});

const record = createRoute({
  getParentRoute: () => center,
  path: '/records/$id',
  component: lazyRouteComponent(() => import('../../screens/records/record.tsx'), 'RecordScreen'),
});

const certificate = createRoute({
  getParentRoute: () => center,
  path: '/certificates/$id',
  component: lazyRouteComponent(
    () => import('../../screens/certificates/certificate.tsx'),
    'CertificateScreen',
  ),
});

const attendance = createRoute({
  getParentRoute: () => center,
  path: '/attendance',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/records/attendance.tsx'), 'AttendanceScreen'),
});

const keys = createRoute({
  getParentRoute: () => center,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../../screens/keys/keys.tsx'), 'KeysScreen'),
});

const audit = createRoute({
  getParentRoute: () => center,
  path: '/audit',
  validateSearch: texts('person', 'types', 'target', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/audit/audit.tsx'), 'AuditScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => center,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../../screens/webhooks/webhooks.tsx'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => center,
  path: '/webhooks/$id',
  validateSearch: texts('status', 'after', 'before', 'event'),
  component: lazyRouteComponent(() => import('../../screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});

const workflows = createRoute({
  getParentRoute: () => center,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../../screens/workflows/workflows.tsx'), 'WorkflowsScreen'),
});

const newWorkflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/new',
  component: lazyRouteComponent(() => import('../../screens/workflows/editor.tsx'), 'NewWorkflowScreen'),
});

const workflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../../screens/workflows/workflow.tsx'), 'WorkflowScreen'),
});

const editWorkflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id/edit',
  component: lazyRouteComponent(() => import('../../screens/workflows/editor.tsx'), 'EditWorkflowScreen'),
});

const run = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id/runs/$run',
  component: lazyRouteComponent(() => import('../../screens/workflows/run.tsx'), 'RunScreen'),
});

const ledger = createRoute({
  getParentRoute: () => center,
  path: '/ledger',
  component: lazyRouteComponent(() => import('../../screens/ledger/ledger.tsx'), 'LedgerScreen'),
});

const chain = createRoute({
  getParentRoute: () => center,
  path: '/ledger/$domain',
  validateSearch: texts('at'),
  component: lazyRouteComponent(() => import('../../screens/ledger/chain.tsx'), 'ChainScreen'),
});

const calendar = createRoute({
  getParentRoute: () => center,
  path: '/calendar',
  validateSearch: texts('week', 'view', 'instructor'),
  component: lazyRouteComponent(() => import('../../screens/calendar/calendar.tsx'), 'CalendarScreen'),
});

const certificates = createRoute({
  getParentRoute: () => center,
  path: '/certificates',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(
    () => import('../../screens/certificates/certificates.tsx'),
    'CertificatesScreen',
  ),
});

const policies = createRoute({
  getParentRoute: () => center,
  path: '/policies',
  component: lazyRouteComponent(() => import('../../screens/policies/policies.tsx'), 'PoliciesScreen'),
});

const groups = createRoute({
  getParentRoute: () => center,
  path: '/groups',
  component: lazyRouteComponent(() => import('../../screens/groups/groups.tsx'), 'GroupsScreen'),
});

const mandates = createRoute({
  getParentRoute: () => center,
  path: '/mandates',
  component: lazyRouteComponent(() => import('../../screens/mandates/mandates.tsx'), 'MandatesScreen'),
});

const settings = createRoute({
  getParentRoute: () => center,
  path: '/settings',
  component: lazyRouteComponent(() => import('../../screens/settings/settings.tsx'), 'SettingsScreen'),
});

const subscription = createRoute({
  getParentRoute: () => center,
  path: '/subscription',
  component: lazyRouteComponent(
    () => import('../../screens/settings/subscription.tsx'),
    'SubscriptionScreen',
  ),
});

export const centerRoutes = center.addChildren([
  overview,
  approvals,
  decisions,
  decision,
  people,
  person,
  records,
  record,
  certificate,
  attendance,
  keys,
  audit,
  webhooks,
  webhook,
  workflows,
  newWorkflow,
  workflow,
  editWorkflow,
  run,
  ledger,
  chain,
  calendar,
  certificates,
  policies,
  groups,
  mandates,
  settings,
  subscription,
]);
