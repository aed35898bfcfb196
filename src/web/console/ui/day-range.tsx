import { TextInput } from '@mantine/core';

interface DayRangeProps {
  from: string | undefined;
  to: string | undefined;
  onChange: (changes: { from?: string | undefined; to?: string | undefined }) => void;
}

/** From one day to another, either of them open. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <>
      <TextInput
        type="date"
        aria-label="From day"
        value={from ?? ''}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        aria-label="To day"
        value={to ?? ''}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
    </>
  );
}
