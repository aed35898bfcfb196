import { NativeSelect } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './filter-bar.module.css';

const classNames = { input: classes.choice! };

interface FilterSelectProps<Name extends string> {
  /** The name of the filter in the address. */
  name: Name;
  label: string;
  /** The choice not to choose, which is there at first. */
  placeholder: string;
  choices: readonly { value: string; label: string }[];
  value: string | undefined;
  onChange: (changes: { [name in Name]?: string | undefined }) => void;
}

/**
 * One choice that narrows a list. The browser's own: it opens and closes at no cost to the rows, and phones and keyboards know it.
 * A separate component, so that the other filters are not rendered again with it.
 */
export const FilterSelect = memo(function FilterSelect<Name extends string>({
  name,
  label,
  placeholder,
  choices,
  value,
  onChange,
}: FilterSelectProps<Name>) {
  return (
    <NativeSelect
      aria-label={label}
      classNames={classNames}
      data-unset={value ? undefined : true}
      data={[{ value: '', label: placeholder }, ...choices]}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange({ [name]: currentTarget.value || undefined } as Parameters<typeof onChange>[0])
      }
    />
  );
}) as <Name extends string>(props: FilterSelectProps<Name>) => ReactNode;
