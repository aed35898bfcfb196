import type { ReactNode } from 'react';
import { FilterBar } from './filter-bar.tsx';
import { FilterSelect } from './filter-select.tsx';
import { SearchField } from './search-field.tsx';

export interface Choice {
  value: string;
  label: string;
}

/** The choices of a table of labels, or of states with their label first. */
export const choicesOf = (labels: Record<string, string | readonly [string, ...unknown[]]>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({
    value,
    label: typeof label === 'string' ? label : label[0],
  }));

interface FiltersProps<Search> {
  /** The filters that are set, by their names in the address. */
  shown: Search;
  onChange: (changes: Partial<Search>) => void;
  /** The placeholder of the search field; none without it. */
  search?: string;
  /** By name in the address: the label, the choice that selects all, and the others. */
  selects?: { [Name in keyof Search]?: readonly [label: string, all: string, choices: readonly Choice[]] };
  /** Further filters. */
  children?: ReactNode;
}

/** The filters of a list. Its fields render again only if their own value changes. */
export function Filters<Search extends object>({
  shown,
  onChange,
  search,
  selects = {},
  children,
}: FiltersProps<Search>) {
  const values = shown as Record<string, string | undefined>;
  const change = onChange as (changes: Record<string, string | undefined>) => void;
  return (
    <FilterBar>
      {search && <SearchField initial={values['search'] ?? ''} placeholder={search} onChange={change} />}
      {Object.entries<readonly [string, string, readonly Choice[]] | undefined>(selects).map(
        ([name, select]) =>
          select && (
            <FilterSelect
              key={name}
              name={name}
              label={select[0]}
              placeholder={select[1]}
              choices={select[2]}
              value={values[name]}
              onChange={change}
            />
          ),
      )}
      {children}
    </FilterBar>
  );
}
