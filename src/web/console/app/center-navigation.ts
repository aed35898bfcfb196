import type { NavEntry } from './nav-list.tsx';
import { type NavigationItem, navigationFor } from './navigation.ts';
import type { Session } from './session.ts';

export interface CenterEntry extends NavEntry {
  live: NavigationItem['badge'];
  keywords: string[] | undefined;
}

/** The navigation of one center, with whole addresses. */
export function centerNavigation(
  role: Session['me']['role'],
  domain: string,
): { label: string | null; entries: CenterEntry[] }[] {
  return navigationFor(role).map(({ label, items }) => ({
    label,
    entries: items.map(({ label: name, path, icon, badge, keywords }) => ({
      label: name,
      to: path ? `/c/${domain}/${path}` : `/c/${domain}`,
      icon,
      exact: path === '',
      live: badge,
      keywords,
    })),
  }));
}
