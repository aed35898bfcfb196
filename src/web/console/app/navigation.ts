import {
  type Icon,
  IconChecklist,
  IconCreditCard,
  IconGavel,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconScale,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { Place } from './place.ts';
import type { Session } from './session.ts';

export interface Entry {
  label: string;
  to: string;
  icon: Icon;
  /** Only when the address is this very one. */
  exact?: boolean;
  /** A number beside it, kept live. */
  live?: 'approvals';
  /** Words under which people look for it. */
  keywords?: string[];
}

export interface Group {
  label: string | null;
  entries: Entry[];
}

/** What somebody can do is what they see. */
export function navigationOf(session: Session, place: Place): Group[] {
  switch (place) {
    case 'center':
      return centerNavigation(session);
    default:
      return [];
  }
}

function centerNavigation({ me }: Session): Group[] {
  const at = (path: string) => `/c/${me.centerDomain}${path}`;
  const entry = (label: string, path: string, icon: Icon, keywords: string[] = []): Entry => ({
    label,
    to: at(path),
    icon,
    keywords,
    exact: path === '',
  });
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
          ],
        },
        {
          label: 'Rules and systems',
          entries: [
            entry('Policies', '/policies', IconScale, ['guards', 'risk', 'simulator']),
            entry('Webhooks', '/webhooks', IconWebhook, ['deliveries', 'endpoints']),
            entry('API keys', '/api-keys', IconKey, ['secrets', 'tokens']),
          ],
        },
        {
          label: 'Center',
          entries: [
            entry('People', '/people', IconUsers, ['members', 'invite', 'roles', 'guardians']),
            entry('Audit log', '/audit', IconHistory, ['history', 'csv']),
            entry('Subscription', '/subscription', IconCreditCard, ['plan', 'seats', 'payment']),
            entry('Settings', '/settings', IconSettings, ['time zone', 'public proof', 'name']),
          ],
        },
      ];
    default:
      return [{ label: null, entries: [entry('Overview', '', IconLayoutDashboard, ['home', 'start'])] }];
  }
}
