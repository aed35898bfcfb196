import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { SavedFilters } from './saved-filters.tsx';

/** Fields that narrow a list: the first, for words, takes the room that is left. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={classes.bar} aria-label="Filter">
      {children}
      <SavedFilters />
    </search>
  );
}
