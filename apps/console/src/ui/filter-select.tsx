import { NativeSelect } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './filter-bar.module.css';

const classNames = { input: classes.choice! };

interface FilterSelectProps<Name extends string> {
  /** The name of the filter in the address. */
  name: Name;
  label: string;
  /** The label of the option that selects nothing, which is the default. */
  placeholder: string;
  choices: readonly { value: string; label: string }[];
  value: string | undefined;
  onChange: (changes: { [name in Name]?: string | undefined }) => void;
}

/**
 * A filter with one choice. A native select opens without rendering rows and works well on phones and with keyboards. A
 * separate component, so that the other filters are not rendered again with it.
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
