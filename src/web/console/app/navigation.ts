import { type Icon, IconChecklist, IconGavel } from '@tabler/icons-react';
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
  const approvals: Entry = {
    label: 'Approvals',
    to: at('/approvals'),
    icon: IconChecklist,
    live: 'approvals',
    keywords: ['inbox', 'waiting', 'agents'],
  };
  const decisions: Entry = {
    label: 'Decisions',
    to: at('/decisions'),
    icon: IconGavel,
    keywords: ['proof', 'events', 'sealed', 'evidence'],
  };
  switch (me.role) {
    case 'ADMIN':
      return [{ label: null, entries: [approvals, decisions] }];
    default:
      return [];
  }
}
