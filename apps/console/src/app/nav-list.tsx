import type { Icon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import classes from './nav-list.module.css';

interface NavEntry {
  label: string;
  to: string;
  icon: Icon;
  /** Current only for exactly this address. */
  exact?: boolean;
  badge?: ReactNode;
}

interface NavGroup {
  label: string | null;
  entries: NavEntry[];
}

export function NavList({ groups, onFollow }: { groups: NavGroup[]; onFollow: () => void }) {
  // On a low window, the entry of the page may be below those that fit.
  useEffect(() => {
    document.querySelector(`.${classes.link}[data-active]`)?.scrollIntoView({ block: 'nearest' });
  }, []);
  return groups.map(({ label, entries }) => (
    <div key={label ?? ''} className={classes.group}>
      {label && <p className={classes.label}>{label}</p>}
      <ul className={classes.list}>
        {entries.map(({ label: name, to, icon: EntryIcon, exact, badge }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link!}
              activeOptions={{ exact: exact ?? false, includeSearch: false }}
              activeProps={{ 'data-active': true }}
              onClick={onFollow}
            >
              <EntryIcon size={18} stroke={1.7} aria-hidden="true" />
              <span>{name}</span>
              {badge}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
