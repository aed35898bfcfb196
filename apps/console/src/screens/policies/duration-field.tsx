import { NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import classes from './duration-field.module.css';

const LENGTHS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof LENGTHS;

interface DurationFieldProps {
  label: string;
  description?: string;
  /** From short to long. */
  units: readonly Unit[];
  /** In seconds; null if it is not set. */
  value: number | null;
  max: number;
  error?: string | undefined;
  onChange: (seconds: number | null) => void;
}

/** A span of time in a unit that people choose. */
export function DurationField({
  label,
  description,
  units,
  value,
  max,
  error,
  onChange,
}: DurationFieldProps) {
  const [chosen, setChosen] = useState<Unit | null>(null);
  const isExact = (unit: Unit) => value === null || value % LENGTHS[unit] === 0;
  // A value that the chosen unit cannot show exactly is shown in one that can.
  const unit =
    chosen && isExact(chosen)
      ? chosen
      : ((value ? units.findLast(isExact) : units[units.indexOf('hours')]) ?? units[0]!);
  const pickUnit = (next: Unit) => {
    setChosen(next);
    if (value !== null) onChange(Math.min(max, (value / LENGTHS[unit]) * LENGTHS[next]));
  };
  return (
    <NumberInput
      label={label}
      description={description}
      min={0}
      max={Math.floor(max / LENGTHS[unit])}
      allowDecimal={false}
      allowNegative={false}
      value={value === null ? '' : value / LENGTHS[unit]}
      error={error}
      onChange={(amount) => onChange(amount === '' ? null : Math.round(Number(amount) * LENGTHS[unit]))}
      rightSectionWidth={108}
      rightSection={
        <NativeSelect
          aria-label={`${label}: unit`}
          rightSectionWidth={28}
          classNames={{ root: classes.root!, input: classes.unit! }}
          data={[...units]}
          value={unit}
          onChange={({ currentTarget }) => pickUnit(currentTarget.value as Unit)}
        />
      }
    />
  );
}
