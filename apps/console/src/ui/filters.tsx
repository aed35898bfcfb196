import { NativeSelect } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { SavedFilters } from './saved-filters.tsx';
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

const classNames = { input: classes.choice! };

interface SelectProps {
  /** The name of the filter in the address. */
  name: string;
  label: string;
  /** The label of the option that selects nothing, which is the default. */
  placeholder: string;
  choices: readonly Choice[];
  value: string | undefined;
  onChange: (changes: object) => void;
}

/**
 * A filter with one choice. A native select opens without rendering rows and works well on phones and with keyboards. A
 * separate component, so that the other filters are not rendered again with it.
 */
const FilterSelect = memo(({ name, label, placeholder, choices, value, onChange }: SelectProps) => (
  <NativeSelect
    aria-label={label}
    classNames={classNames}
    data-unset={value ? undefined : true}
    data={[{ value: '', label: placeholder }, ...choices]}
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value || undefined })}
  />
));

interface SelectsProps<Search> {
  /** The filters that are set, by their names in the address. */
  shown: Search;
  onChange: (changes: Partial<Search>) => void;
  /** By name in the address: the label, the choice that selects all, and the others. */
  selects: { [Name in keyof Search]?: readonly [label: string, all: string, choices: readonly Choice[]] };
}

/** A field for each filter. A field renders again only if its own value changes. */
export function FilterSelects<Search extends object>({ shown, onChange, selects }: SelectsProps<Search>) {
  const change = onChange as (changes: object) => void;
  return (Object.keys(selects) as (keyof Search & string)[]).map((name) => {
    const [label, all, choices] = selects[name]!;
    const value = shown[name] as string | undefined;
    const props = { name, label, placeholder: all, choices, value, onChange: change };
    return <FilterSelect key={name} {...props} />;
  });
}

interface FiltersProps<Search> {
  of: { shown: Search; narrow: (changes: Partial<Search>) => void };
  /** The placeholder of the search field; none without it. */
  search?: string;
  selects?: SelectsProps<Search>['selects'];
  /** Further filters. */
  children?: ReactNode;
}

/** Independent of page and filters. */
const Saved = memo(SavedFilters);

/** The filters of a list. The search field takes the remaining width. */
export function Filters<Search extends object>({ of, search, selects, children }: FiltersProps<Search>) {
  const { shown, narrow } = of;
  const { search: words = '' } = shown as { search?: string };
  const change = narrow as (changes: object) => void;
  return (
    <search className={classes.bar} aria-label="Filter">
      {search && <SearchField initial={words} placeholder={search} onChange={change} />}
      {selects && <FilterSelects shown={shown} onChange={narrow} selects={selects} />}
      {children}
      <Saved />
    </search>
  );
}
