import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { landingPath, safeNext } from '../session/landing.ts';
import { enterCenter, loadSession, type Session, signInAddress } from '../session/session.ts';
import { SessionContext } from '../session/session-context.ts';
import { texts } from '../text/search.ts';
import { Broken, NotHere } from './broken.tsx';
import { placeOf } from './place.ts';
import { PlaceShell } from './place-shell.tsx';

const root = createRootRoute({ component: Outlet, errorComponent: Broken, notFoundComponent: NotHere });

/** The session alone: what else the router knows is new with every address, and would draw the whole frame again. */
const sessionOf = ({ session }: { session: Session }) => session;

/** Signed-in people go to their start page; all others sign in. */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const session = await loadSession();
    throw redirect({ href: session ? landingPath(session.me.landing) : '/sign-in', replace: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) => texts('next', 'center')(search),
  beforeLoad: async ({ search: { next } }) => {
    const session = await loadSession();
    if (session) throw redirect({ href: safeNext(next) ?? landingPath(session.me.landing), replace: true });
  },
  component: lazyRouteComponent(() => import('../screens/entry/sign-in.tsx'), 'SignInScreen'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../screens/entry/forgot-password.tsx'), 'ForgotPasswordScreen'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../screens/entry/invitation.tsx'), 'InvitationScreen'),
});
const roleChange = createRoute({
  getParentRoute: () => root,
  path: '/role-change',
  component: lazyRouteComponent(() => import('../screens/entry/role-change.tsx'), 'RoleChangeScreen'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('../screens/entry/reset.tsx'), 'ResetScreen'),
});

/** Everything that requires a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }): Promise<{ session: Session }> => {
    const session = await loadSession();
    if (!session) throw redirect({ href: signInAddress(location.href), replace: true });
    return { session };
  },
  component: function Inside() {
    const session = inside.useRouteContext({ select: sessionOf });
    return (
      <SessionContext value={session}>
        <Outlet />
      </SessionContext>
    );
  },
});

const centers = createRoute({
  getParentRoute: () => inside,
  path: '/centers',
  component: lazyRouteComponent(() => import('../screens/entry/centers.tsx'), 'CentersScreen'),
});
const waiting = createRoute({
  getParentRoute: () => inside,
  path: '/waiting',
  component: lazyRouteComponent(() => import('../screens/entry/waiting.tsx'), 'WaitingScreen'),
});
const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../screens/entry/welcome.tsx'), 'WelcomeScreen'),
});

/** Pages that belong to the person, framed by wherever they are. */
const personal = createRoute({
  getParentRoute: () => inside,
  id: 'personal',
  component: function Personal() {
    const session = personal.useRouteContext({ select: sessionOf });
    return <PlaceShell place={placeOf(session)} />;
  },
});
const me = createRoute({
  getParentRoute: () => personal,
  path: '/me',
  component: lazyRouteComponent(() => import('../screens/me/me.tsx'), 'MeScreen'),
});

/** The partner's own pages, over all its centers. */
const partner = createRoute({
  getParentRoute: () => inside,
  path: '/partner',
  component: () => <PlaceShell place="partner" />,
});
const partnerDashboard = createRoute({
  getParentRoute: () => partner,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/partner/dashboard.tsx'), 'PartnerDashboardScreen'),
});
const partnerCenters = createRoute({
  getParentRoute: () => partner,
  path: '/centers',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/partner/centers.tsx'), 'PartnerCentersScreen'),
});
const partnerCenter = createRoute({
  getParentRoute: () => partner,
  path: '/centers/$id',
  component: lazyRouteComponent(() => import('../screens/partner/center.tsx'), 'PartnerCenterScreen'),
});
const partnerMembers = createRoute({
  getParentRoute: () => partner,
  path: '/members',
  validateSearch: texts('search', 'status', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/partner/members.tsx'), 'PartnerMembersScreen'),
});
const partnerAudit = createRoute({
  getParentRoute: () => partner,
  path: '/audit',
  validateSearch: texts('from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/partner/audit.tsx'), 'PartnerAuditScreen'),
});
const partnerPayments = createRoute({
  getParentRoute: () => partner,
  path: '/payments',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../screens/partner/payments.tsx'), 'PartnerPaymentsScreen'),
});
const whiteLabel = createRoute({
  getParentRoute: () => partner,
  path: '/white-label',
  component: lazyRouteComponent(() => import('../screens/partner/white-label.tsx'), 'WhiteLabelScreen'),
});

/** For those who run the installation. */
const platform = createRoute({
  getParentRoute: () => inside,
  path: '/platform',
  component: () => <PlaceShell place="platform" />,
});
const installation = createRoute({
  getParentRoute: () => platform,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/platform/installation.tsx'), 'InstallationScreen'),
});
const partners = createRoute({
  getParentRoute: () => platform,
  path: '/partners',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/platform/partners.tsx'), 'PartnersScreen'),
});
const onePartner = createRoute({
  getParentRoute: () => platform,
  path: '/partners/$id',
  component: lazyRouteComponent(() => import('../screens/platform/partner.tsx'), 'PartnerScreen'),
});
const users = createRoute({
  getParentRoute: () => platform,
  path: '/users',
  validateSearch: texts('search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/platform/users.tsx'), 'UsersScreen'),
});
const user = createRoute({
  getParentRoute: () => platform,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('../screens/platform/users.tsx'), 'UserScreen'),
});
const platformAudit = createRoute({
  getParentRoute: () => platform,
  path: '/audit',
  validateSearch: texts('types', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/platform/audit.tsx'), 'PlatformAuditScreen'),
});
const allCenters = createRoute({
  getParentRoute: () => platform,
  path: '/centers',
  validateSearch: texts('search', 'status', 'partner', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/platform/centers.tsx'), 'AllCentersScreen'),
});

const anyCenter = createRoute({
  getParentRoute: () => platform,
  path: '/centers/$id',
  component: lazyRouteComponent(() => import('../screens/platform/center.tsx'), 'PlatformCenterScreen'),
});

/** One center. A link may lead into another one than the session is in: then the session moves there first. */
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

/** Each role begins where its work is. */
const overview = createRoute({
  getParentRoute: () => center,
  path: '/',
  validateSearch: texts('week', 'view', 'person'),
  component: lazyRouteComponent(() => import('../screens/overview/home.tsx'), 'HomeScreen'),
});

const approvals = createRoute({
  getParentRoute: () => center,
  path: '/approvals',
  validateSearch: texts('event', 'sort', 'risk', 'agent', 'type'),
  component: lazyRouteComponent(() => import('../screens/approvals/approvals.tsx'), 'ApprovalsScreen'),
});
const decisions = createRoute({
  getParentRoute: () => center,
  path: '/decisions',
  validateSearch: texts('status', 'type', 'tag', 'search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/decisions/decisions.tsx'), 'DecisionsScreen'),
});
const decision = createRoute({
  getParentRoute: () => center,
  path: '/decisions/$id',
  component: lazyRouteComponent(() => import('../screens/decisions/decision.tsx'), 'DecisionScreen'),
});

const people = createRoute({
  getParentRoute: () => center,
  path: '/people',
  validateSearch: texts('status', 'role', 'search', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/people/people.tsx'), 'PeopleScreen'),
});
const person = createRoute({
  getParentRoute: () => center,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('../screens/people/person.tsx'), 'PersonScreen'),
});
const records = createRoute({
  getParentRoute: () => center,
  path: '/records',
  validateSearch: texts('level', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/records/records.tsx'), 'RecordsScreen'),
});
const record = createRoute({
  getParentRoute: () => center,
  path: '/records/$id',
  component: lazyRouteComponent(() => import('../screens/records/record.tsx'), 'RecordScreen'),
});
const certificate = createRoute({
  getParentRoute: () => center,
  path: '/certificates/$id',
  component: lazyRouteComponent(() => import('../screens/certificates/certificate.tsx'), 'CertificateScreen'),
});
const attendance = createRoute({
  getParentRoute: () => center,
  path: '/attendance',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../screens/records/attendance.tsx'), 'AttendanceScreen'),
});
const keys = createRoute({
  getParentRoute: () => center,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../screens/keys/keys.tsx'), 'KeysScreen'),
});
const audit = createRoute({
  getParentRoute: () => center,
  path: '/audit',
  validateSearch: texts('person', 'types', 'target', 'from', 'to', 'after', 'before'),
  component: lazyRouteComponent(() => import('../screens/audit/audit.tsx'), 'AuditScreen'),
});
const webhooks = createRoute({
  getParentRoute: () => center,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks.tsx'), 'WebhooksScreen'),
});
const webhook = createRoute({
  getParentRoute: () => center,
  path: '/webhooks/$id',
  validateSearch: texts('status', 'after', 'before', 'event'),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});
const workflows = createRoute({
  getParentRoute: () => center,
  path: '/workflows',
  component: lazyRouteComponent(() => import('../screens/workflows/workflows.tsx'), 'WorkflowsScreen'),
});
const newWorkflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/new',
  component: lazyRouteComponent(() => import('../screens/workflows/editor.tsx'), 'NewWorkflowScreen'),
});
const workflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(() => import('../screens/workflows/workflow.tsx'), 'WorkflowScreen'),
});
const editWorkflow = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id/edit',
  component: lazyRouteComponent(() => import('../screens/workflows/editor.tsx'), 'EditWorkflowScreen'),
});
const run = createRoute({
  getParentRoute: () => center,
  path: '/workflows/$id/runs/$run',
  component: lazyRouteComponent(() => import('../screens/workflows/run.tsx'), 'RunScreen'),
});
const ledger = createRoute({
  getParentRoute: () => center,
  path: '/ledger',
  component: lazyRouteComponent(() => import('../screens/ledger/ledger.tsx'), 'LedgerScreen'),
});
const chain = createRoute({
  getParentRoute: () => center,
  path: '/ledger/$domain',
  validateSearch: texts('at'),
  component: lazyRouteComponent(() => import('../screens/ledger/chain.tsx'), 'ChainScreen'),
});
const calendar = createRoute({
  getParentRoute: () => center,
  path: '/calendar',
  validateSearch: texts('week', 'view', 'instructor'),
  component: lazyRouteComponent(() => import('../screens/calendar/calendar.tsx'), 'CalendarScreen'),
});
const certificates = createRoute({
  getParentRoute: () => center,
  path: '/certificates',
  validateSearch: texts('after', 'before'),
  component: lazyRouteComponent(
    () => import('../screens/certificates/certificates.tsx'),
    'CertificatesScreen',
  ),
});
const policies = createRoute({
  getParentRoute: () => center,
  path: '/policies',
  component: lazyRouteComponent(() => import('../screens/policies/policies.tsx'), 'PoliciesScreen'),
});
const groups = createRoute({
  getParentRoute: () => center,
  path: '/groups',
  component: lazyRouteComponent(() => import('../screens/groups/groups.tsx'), 'GroupsScreen'),
});
const mandates = createRoute({
  getParentRoute: () => center,
  path: '/mandates',
  component: lazyRouteComponent(() => import('../screens/mandates/mandates.tsx'), 'MandatesScreen'),
});
const settings = createRoute({
  getParentRoute: () => center,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'SettingsScreen'),
});
const subscription = createRoute({
  getParentRoute: () => center,
  path: '/subscription',
  component: lazyRouteComponent(() => import('../screens/settings/subscription.tsx'), 'SubscriptionScreen'),
});

const routeTree = root.addChildren([
  home,
  signIn,
  forgotPassword,
  reset,
  roleChange,
  invitation,
  inside.addChildren([
    centers,
    waiting,
    welcome,
    personal.addChildren([me]),
    partner.addChildren([
      partnerDashboard,
      partnerCenters,
      partnerCenter,
      partnerMembers,
      partnerAudit,
      partnerPayments,
      whiteLabel,
    ]),
    platform.addChildren([
      installation,
      partners,
      onePartner,
      allCenters,
      anyCenter,
      users,
      user,
      platformAudit,
    ]),
    center.addChildren([
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
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
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
