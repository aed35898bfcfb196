import {
  type Icon,
  IconBuildingBank,
  IconBuildingCommunity,
  IconCalendar,
  IconCalendarCheck,
  IconCash,
  IconCertificate,
  IconChecklist,
  IconCreditCard,
  IconFileCertificate,
  IconGavel,
  IconHeartRateMonitor,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconPalette,
  IconScale,
  IconSchool,
  IconSettings,
  IconSitemap,
  IconUserCheck,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { Session } from '../session/session.ts';
import { hasFeature } from '../session/session-context.ts';
import type { Place } from './place.ts';

export interface Entry {
  label: string;
  to: string;
  icon: Icon;
  /** Current only for exactly this address. */
  exact?: boolean;
  /** A live counter next to the label. */
  live?: 'approvals';
  /** Hidden where the center lacks this feature. */
  feature?: string;
  /** Words under which people look for it. */
  keywords?: string[];
}

interface Group {
  label: string | null;
  entries: Entry[];
}

/** What of the navigation depends on more than the session. */
interface Known {
  /** Whether the person can decide requests now, which members of any role can if a group needs them. */
  hasRequests?: boolean;
}

/** The navigation shows what the person can do. */
export function navigationOf(session: Session, place: Place, known: Known = {}): Group[] {
  switch (place) {
    case 'center':
      return withFeatures(session, centerNavigation(session, known));
    case 'partner':
      return session.me.partner ? partnerNavigation : [];
    case 'platform':
      return session.me.platformAdmin ? platformNavigation : [];
    default:
      return [];
  }
}

/** The name of a screen in the navigation of those who may open it. */
export function screenLabel(session: Session, place: Place, address: string): string | undefined {
  const groups = {
    center: centerNavigation(asAdmin(session), {}),
    partner: partnerNavigation,
    platform: platformNavigation,
  };
  const entries =
    place in groups ? groups[place as keyof typeof groups].flatMap((group) => group.entries) : [];
  return entries.find(({ to, exact }) => address === to || (!exact && address.startsWith(`${to}/`)))?.label;
}

const asAdmin = (session: Session): Session => ({ ...session, me: { ...session.me, role: 'ADMIN' } });

/** Removes entries of features that the center does not have. */
const withFeatures = (session: Session, groups: Group[]): Group[] =>
  groups.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ feature }) => !feature || hasFeature(session, feature)),
  }));

const entry = (label: string, to: string, icon: Icon, keywords: string[]): Entry => ({
  label,
  to,
  icon,
  keywords,
  // The start page of a place is the prefix of all its other pages.
  exact: /^\/(?:c\/[^/]+|partner|platform)$/.test(to),
});

const partnerNavigation: Group[] = [
  {
    label: null,
    entries: [
      entry('Dashboard', '/partner', IconLayoutDashboard, ['home', 'start', 'overview', 'summary']),
      entry('Centers', '/partner/centers', IconBuildingCommunity, [
        'tenants',
        'new',
        'onboarding',
        'suspend',
      ]),
      entry('Members', '/partner/members', IconUsers, ['people', 'users', 'accounts', 'approve']),
    ],
  },
  {
    label: 'Business',
    entries: [
      entry('Payments', '/partner/payments', IconCash, ['revenue', 'invoices', 'billing', 'money']),
      entry('White label', '/partner/white-label', IconPalette, [
        'branding',
        'logo',
        'colors',
        'appearance',
        'features',
      ]),
      entry('Audit log', '/partner/audit', IconHistory, ['history', 'activity', 'events']),
    ],
  },
];

const platformNavigation: Group[] = [
  {
    label: null,
    entries: [
      entry('Installation', '/platform', IconHeartRateMonitor, [
        'home',
        'health',
        'status',
        'signing keys',
        'witnesses',
        'jobs',
        'queue',
        'storage',
      ]),
      entry('Partners', '/platform/partners', IconBuildingBank, ['onboarding', 'resellers', 'new']),
      entry('Centers', '/platform/centers', IconBuildingCommunity, [
        'tenants',
        'new',
        'suspend',
        'end',
        'close',
        'approve',
      ]),
      entry('Users', '/platform/users', IconUsers, [
        'people',
        'accounts',
        'members',
        'suspend',
        'sessions',
        'administrators',
      ]),
      entry('Audit log', '/platform/audit', IconHistory, ['history', 'activity', 'events']),
    ],
  },
];

function centerNavigation({ me }: Session, { hasRequests = false }: Known): Group[] {
  const at = (label: string, path: string, icon: Icon, keywords: string[]) =>
    entry(label, `/c/${me.centerDomain}${path}`, icon, keywords);
  const workflows = {
    ...at('Workflows', '/workflows', IconSitemap, [
      'runs',
      'schedules',
      'reviews',
      'steps',
      'automation',
      'jobs',
    ]),
    feature: 'workflows',
  };
  const calendar = {
    ...at('Calendar', '/calendar', IconCalendar, [
      'bookings',
      'hours',
      'appointments',
      'sessions',
      'schedule',
      'slots',
    ]),
    feature: 'booking',
  };
  const approvals: Entry = {
    ...at('Approvals', '/approvals', IconChecklist, [
      'inbox',
      'waiting',
      'pending',
      'requests',
      'review',
      'agents',
    ]),
    live: 'approvals',
  };
  const certificates = at('Certificates', '/certificates', IconSchool, [
    'courses',
    'learners',
    'issue',
    'diplomas',
  ]);
  switch (me.role) {
    case 'ADMIN':
      return [
        {
          label: null,
          entries: [
            at('Overview', '', IconLayoutDashboard, [
              'home',
              'start',
              'dashboard',
              'get started',
              'checklist',
            ]),
            approvals,
            at('Decisions', '/decisions', IconGavel, [
              'proofs',
              'events',
              'sealed',
              'evidence',
              'requests',
              'actions',
              'verify',
            ]),
            at('Records', '/records', IconFileCertificate, ['platform', 'evidence', 'drafts', 'documents']),
            at('Ledger', '/ledger', IconLink, [
              'chains',
              'verify',
              'checkpoints',
              'witnesses',
              'journal',
              'integrity',
              'transparency',
            ]),
          ],
        },
        {
          label: 'Rules and systems',
          entries: [
            workflows,
            at('Policies', '/policies', IconScale, [
              'rules',
              'guards',
              'risk',
              'simulator',
              'quorum',
              'dual approval',
            ]),
            at('Approval groups', '/groups', IconUsersGroup, ['quorum', 'seats', 'members', 'teams']),
            at('Mandates', '/mandates', IconCertificate, [
              'agents',
              'budget',
              'limits',
              'permissions',
              'grants',
            ]),
            {
              ...at('Webhooks', '/webhooks', IconWebhook, [
                'deliveries',
                'endpoints',
                'events',
                'integrations',
                'callbacks',
              ]),
              feature: 'webhooks',
            },
            {
              ...at('API keys', '/api-keys', IconKey, [
                'secrets',
                'tokens',
                'agents',
                'mcp',
                'integrations',
                'credentials',
              ]),
              feature: 'proofApi',
            },
          ],
        },
        {
          label: 'Center',
          entries: [
            at('People', '/people', IconUsers, [
              'members',
              'users',
              'staff',
              'invitations',
              'roles',
              'guardians',
              'administrators',
            ]),
            calendar,
            at('Attendance', '/attendance', IconUserCheck, ['sessions', 'confirm', 'presence']),
            certificates,
            at('Audit log', '/audit', IconHistory, ['history', 'activity', 'events', 'csv', 'export']),
            at('Subscription', '/subscription', IconCreditCard, [
              'plans',
              'seats',
              'payments',
              'billing',
              'features',
              'upgrade',
              'invoices',
            ]),
            at('Settings', '/settings', IconSettings, [
              'time zone',
              'public proof',
              'name',
              'country',
              'chat channels',
              'slack',
              'teams',
              'configuration',
            ]),
          ],
        },
      ];
    case 'INSTRUCTOR':
      return [
        {
          label: null,
          entries: [
            at('Today', '', IconCalendarCheck, ['home', 'start', 'schedule', 'attendance', 'day']),
            calendar,
            certificates,
            approvals,
            workflows,
          ],
        },
      ];
    default:
      return [
        {
          label: null,
          entries: [
            at('Week', '', IconCalendar, ['home', 'start', 'bookings', 'calendar', 'schedule']),
            certificates,
            ...(hasRequests ? [approvals] : []),
          ],
        },
      ];
  }
}
