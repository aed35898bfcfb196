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

/** The navigation shows what the person can do. */
export function navigationOf(session: Session, place: Place): Group[] {
  switch (place) {
    case 'center':
      return withFeatures(session, centerNavigation(session));
    case 'partner':
      return session.me.partner ? partnerNavigation : [];
    case 'platform':
      return session.me.platformAdmin ? platformNavigation : [];
    default:
      return [];
  }
}

/** Removes entries of features that the center does not have. */
const withFeatures = (session: Session, groups: Group[]): Group[] =>
  groups.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ feature }) => !feature || hasFeature(session, feature)),
  }));

const partnerNavigation: Group[] = [
  {
    label: null,
    entries: [
      { label: 'Dashboard', to: '/partner', icon: IconLayoutDashboard, exact: true, keywords: ['home'] },
      {
        label: 'Centers',
        to: '/partner/centers',
        icon: IconBuildingCommunity,
        keywords: ['new', 'onboarding', 'suspend'],
      },
      { label: 'Members', to: '/partner/members', icon: IconUsers, keywords: ['people'] },
    ],
  },
  {
    label: 'Business',
    entries: [
      { label: 'Payments', to: '/partner/payments', icon: IconCash, keywords: ['revenue', 'invoice'] },
      { label: 'White label', to: '/partner/white-label', icon: IconPalette, keywords: ['branding', 'logo'] },
      { label: 'Audit log', to: '/partner/audit', icon: IconHistory, keywords: ['history'] },
    ],
  },
];

const platformNavigation: Group[] = [
  {
    label: null,
    entries: [
      {
        label: 'Installation',
        to: '/platform',
        icon: IconHeartRateMonitor,
        exact: true,
        keywords: ['health', 'keys', 'witnesses', 'jobs'],
      },
      { label: 'Partners', to: '/platform/partners', icon: IconBuildingBank, keywords: ['take on'] },
      {
        label: 'Centers',
        to: '/platform/centers',
        icon: IconBuildingCommunity,
        keywords: ['suspend', 'end'],
      },
      { label: 'Users', to: '/platform/users', icon: IconUsers, keywords: ['people', 'accounts'] },
      { label: 'Audit log', to: '/platform/audit', icon: IconHistory, keywords: ['history'] },
    ],
  },
];

function centerNavigation({ me }: Session): Group[] {
  const at = (path: string) => `/c/${me.centerDomain}${path}`;
  const entry = (label: string, path: string, icon: Icon, keywords: string[] = []): Entry => ({
    label,
    to: at(path),
    icon,
    keywords,
    exact: path === '',
  });
  const workflows = {
    ...entry('Workflows', '/workflows', IconSitemap, ['runs', 'schedules', 'reviews', 'steps']),
    feature: 'workflows',
  };
  const calendar = {
    ...entry('Calendar', '/calendar', IconCalendar, ['bookings', 'hours', 'appointments']),
    feature: 'booking',
  };
  const certificates = entry('Certificates', '/certificates', IconSchool, ['courses', 'learners', 'issue']);
  switch (me.role) {
    case 'ADMIN':
      return [
        {
          label: null,
          entries: [
            entry('Overview', '', IconLayoutDashboard, ['home', 'start']),
            {
              ...entry('Approvals', '/approvals', IconChecklist, ['inbox', 'waiting', 'agents']),
              live: 'approvals',
            },
            entry('Decisions', '/decisions', IconGavel, ['proof', 'events', 'sealed', 'evidence']),
            entry('Records', '/records', IconFileCertificate, ['platform', 'evidence', 'drafts']),
            entry('Ledger', '/ledger', IconLink, ['chains', 'verify', 'checkpoints', 'witnesses']),
          ],
        },
        {
          label: 'Rules and systems',
          entries: [
            workflows,
            entry('Policies', '/policies', IconScale, ['guards', 'risk', 'simulator']),
            entry('Approval groups', '/groups', IconUsersGroup, ['quorum', 'seats', 'members']),
            entry('Mandates', '/mandates', IconCertificate, ['agents', 'budget', 'limits']),
            {
              ...entry('Webhooks', '/webhooks', IconWebhook, ['deliveries', 'endpoints']),
              feature: 'webhooks',
            },
            { ...entry('API keys', '/api-keys', IconKey, ['secrets', 'tokens']), feature: 'proofApi' },
          ],
        },
        {
          label: 'Center',
          entries: [
            entry('People', '/people', IconUsers, ['members', 'invite', 'roles', 'guardians']),
            calendar,
            entry('Attendance', '/attendance', IconUserCheck, ['sessions', 'confirm']),
            certificates,
            entry('Audit log', '/audit', IconHistory, ['history', 'csv']),
            entry('Subscription', '/subscription', IconCreditCard, ['plan', 'seats', 'payment']),
            entry('Settings', '/settings', IconSettings, ['time zone', 'public proof', 'name']),
          ],
        },
      ];
    case 'INSTRUCTOR':
      return [
        {
          label: null,
          entries: [
            entry('Today', '', IconCalendarCheck, ['home', 'start', 'schedule', 'attendance']),
            calendar,
            certificates,
            {
              ...entry('Approvals', '/approvals', IconChecklist, ['inbox', 'waiting', 'agents']),
              live: 'approvals',
            },
            workflows,
          ],
        },
      ];
    default:
      return [
        {
          label: null,
          entries: [entry('Week', '', IconCalendar, ['home', 'start', 'bookings']), certificates],
        },
      ];
  }
}
