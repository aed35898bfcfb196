import { TextInput } from '@mantine/core';
import classes from './filter-bar.module.css';

interface DayRangeProps {
  from: string | undefined;
  to: string | undefined;
  onChange: (changes: { from?: string | undefined; to?: string | undefined }) => void;
}

/** From one day to another, either of them open. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <>
      <Day
        name="From day"
        shown="From"
        value={from}
        max={to}
        onChange={(value) => onChange({ from: value || undefined })}
      />
      <Day
        name="To day"
        shown="To"
        value={to}
        min={from}
        onChange={(value) => onChange({ to: value || undefined })}
      />
    </>
  );
}

interface DayProps {
  name: string;
  shown: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (value: string) => void;
}

function Day({ name, shown, value, onChange, ...limits }: DayProps) {
  return (
    <TextInput
      type="date"
      className={classes.day!}
      aria-label={name}
      leftSection={<span aria-hidden="true">{shown}</span>}
      leftSectionWidth={56}
      value={value ?? ''}
      {...limits}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
