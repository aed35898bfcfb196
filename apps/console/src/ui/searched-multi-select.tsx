import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

export interface Choice {
  value: string;
  label: string;
}

/** The text to search for, once the user pauses. */
export function useSearchText() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 150);
  return { typed, setTyped, search: search || null };
}

interface SearchedMultiSelectProps extends Omit<MultiSelectProps, 'data' | 'searchValue' | 'onSearchChange'> {
  search: ReturnType<typeof useSearchText>;
  /** What the service found. */
  found: readonly Choice[];
  /** Choices that are shown by name although no search found them. */
  known?: readonly Choice[];
  /** More match than were read. */
  isPartial: boolean;
  loading: boolean;
}

/** A choice of several things among more than one page holds: the service searches. */
export function SearchedMultiSelect({
  search,
  found,
  known = [],
  isPartial,
  loading,
  value = [],
  ...props
}: SearchedMultiSelectProps) {
  const [seen, setSeen] = useState<ReadonlyMap<string, Choice>>(new Map());
  const fresh = [...known, ...found].filter((choice) => seen.get(choice.value)?.label !== choice.label);
  if (fresh.length > 0)
    setSeen(new Map([...seen, ...fresh.map((choice) => [choice.value, choice] as const)]));
  const chosen = value
    .filter((id) => !found.some((choice) => choice.value === id))
    .map((id) => seen.get(id) ?? { value: id, label: id });
  return (
    <MultiSelect
      {...props}
      searchable
      data={[...found, ...chosen]}
      // The service has filtered already. Chosen things are above the list.
      filter={({ options }) =>
        options.filter((option) => 'value' in option && !chosen.some((each) => each.value === option.value))
      }
      value={value}
      searchValue={search.typed}
      onSearchChange={search.setTyped}
      nothingFoundMessage={loading ? 'Searching' : 'Nothing matches'}
      {...(isPartial && { description: `${descriptionOf(props)}More match than the list shows: type more.` })}
    />
  );
}

const descriptionOf = ({ description }: Pick<MultiSelectProps, 'description'>) =>
  typeof description === 'string' ? `${description} ` : '';
