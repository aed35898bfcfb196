import { memo, type ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { SavedFilters } from './saved-filters.tsx';

/** Independent of page and filters. */
const Saved = memo(SavedFilters);

/** The filters of a list. The search field takes the remaining width. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={classes.bar} aria-label="Filter">
      {children}
      <Saved />
    </search>
  );
}
