import { TextInput } from '@mantine/core';
import classes from './filter-bar.module.css';

interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** Filters a list from one day to another, either of them open. */
export function DayRange({ of: { shown, narrow } }: { of: { shown: Days; narrow(changes: Days): void } }) {
  const field = (name: keyof Days, label: string, limits: { min?: string; max?: string }) => (
    <TextInput
      type="date"
      className={classes.day!}
      aria-label={`${label} day`}
      leftSection={<span aria-hidden="true">{label}</span>}
      leftSectionWidth={56}
      value={shown[name] ?? ''}
      {...limits}
      onChange={({ currentTarget }) => narrow({ [name]: currentTarget.value || undefined })}
    />
  );
  return (
    <>
      {field('from', 'From', { ...(shown.to && { max: shown.to }) })}
      {field('to', 'To', { ...(shown.from && { min: shown.from }) })}
    </>
  );
}
