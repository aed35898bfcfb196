import { Select } from '@mantine/core';
import { memo, type ReactNode } from 'react';

interface FilterSelectProps<Name extends string> {
  /** What it narrows, as it stands in the address. */
  name: Name;
  label: string;
  /** What is shown while nothing is chosen. */
  placeholder: string;
  choices: readonly { value: string; label: string }[];
  value: string | undefined;
  onChange: (changes: { [name in Name]?: string | undefined }) => void;
}

/** One choice that narrows a list. By itself, so that the others are not drawn again with it. */
export const FilterSelect = memo(function FilterSelect<Name extends string>({
  name,
  label,
  placeholder,
  choices,
  value,
  onChange,
}: FilterSelectProps<Name>) {
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      clearable
      withScrollArea={false}
      data={choices}
      value={value ?? null}
      onChange={(chosen) => onChange({ [name]: chosen ?? undefined } as Parameters<typeof onChange>[0])}
    />
  );
}) as <Name extends string>(props: FilterSelectProps<Name>) => ReactNode;
