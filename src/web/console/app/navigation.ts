import type { Icon } from '@tabler/icons-react';
import { IconChecklist, IconGavel } from '@tabler/icons-react';
import type { Session } from './session.ts';

export interface NavigationItem {
  label: string;
  /** Below /c/$center; the part behind it tells screens apart. */
  path: string;
  icon: Icon;
  /** A number beside it, kept live. */
  badge?: 'approvals';
  /** Words under which people look for it. */
  keywords?: string[];
}

export interface NavigationGroup {
  label: string | null;
  items: NavigationItem[];
}

type Role = Session['me']['role'];

const proof: NavigationItem[] = [
  {
    label: 'Approvals',
    path: 'approvals',
    icon: IconChecklist,
    badge: 'approvals',
    keywords: ['inbox', 'waiting', 'agents'],
  },
  {
    label: 'Decisions',
    path: 'decisions',
    icon: IconGavel,
    keywords: ['proof', 'events', 'sealed', 'evidence'],
  },
];

/** What a role can do is what it sees. */
export function navigationFor(role: Role): NavigationGroup[] {
  if (role === 'ADMIN') return [{ label: null, items: proof }];
  return [];
}
