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

const entry = (label: string, to: string, icon: Icon): Entry => ({
  label,
  to,
  icon,
  // The start page of a place is the prefix of all its other pages.
  exact: /^\/(?:c\/[^/]+|partner|platform)$/.test(to),
});

const partnerNavigation: Group[] = [
  {
    label: null,
    entries: [
      entry('Dashboard', '/partner', IconLayoutDashboard),
      entry('Centers', '/partner/centers', IconBuildingCommunity),
      entry('Members', '/partner/members', IconUsers),
    ],
  },
  {
    label: 'Business',
    entries: [
      entry('Payments', '/partner/payments', IconCash),
      entry('White label', '/partner/white-label', IconPalette),
      entry('Audit log', '/partner/audit', IconHistory),
    ],
  },
];

const platformNavigation: Group[] = [
  {
    label: null,
    entries: [
      entry('Installation', '/platform', IconHeartRateMonitor),
      entry('Partners', '/platform/partners', IconBuildingBank),
      entry('Centers', '/platform/centers', IconBuildingCommunity),
      entry('Users', '/platform/users', IconUsers),
      entry('Audit log', '/platform/audit', IconHistory),
    ],
  },
];

function centerNavigation({ me }: Session, { hasRequests = false }: Known): Group[] {
  const at = (label: string, path: string, icon: Icon) => entry(label, `/c/${me.centerDomain}${path}`, icon);
  const workflows = {
    ...at('Workflows', '/workflows', IconSitemap),
    feature: 'workflows',
  };
  const calendar = {
    ...at('Calendar', '/calendar', IconCalendar),
    feature: 'booking',
  };
  const approvals: Entry = {
    ...at('Approvals', '/approvals', IconChecklist),
    live: 'approvals',
  };
  const certificates = at('Certificates', '/certificates', IconSchool);
  switch (me.role) {
    case 'ADMIN':
      return [
        {
          label: null,
          entries: [
            at('Overview', '', IconLayoutDashboard),
            approvals,
            at('Decisions', '/decisions', IconGavel),
            at('Records', '/records', IconFileCertificate),
            at('Ledger', '/ledger', IconLink),
          ],
        },
        {
          label: 'Rules and systems',
          entries: [
            workflows,
            at('Policies', '/policies', IconScale),
            at('Approval groups', '/groups', IconUsersGroup),
            at('Mandates', '/mandates', IconCertificate),
            {
              ...at('Webhooks', '/webhooks', IconWebhook),
              feature: 'webhooks',
            },
            {
              ...at('API keys', '/api-keys', IconKey),
              feature: 'proofApi',
            },
          ],
        },
        {
          label: 'Center',
          entries: [
            at('People', '/people', IconUsers),
            calendar,
            at('Attendance', '/attendance', IconUserCheck),
            certificates,
            at('Audit log', '/audit', IconHistory),
            at('Subscription', '/subscription', IconCreditCard),
            at('Settings', '/settings', IconSettings),
          ],
        },
      ];
    case 'INSTRUCTOR':
      return [
        {
          label: null,
          entries: [at('Today', '', IconCalendarCheck), calendar, certificates, approvals, workflows],
        },
      ];
    default:
      return [
        {
          label: null,
          entries: [at('Week', '', IconCalendar), certificates, ...(hasRequests ? [approvals] : [])],
        },
      ];
  }
}
