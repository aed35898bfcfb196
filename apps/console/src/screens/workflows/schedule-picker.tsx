import { Chip, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useZone } from '../../session/session-context.ts';
import { readSchedule, type SimpleSchedule, writeSchedule, zoneLabel } from '../../text/schedule.ts';
import { timesIn } from '../../text/time.ts';
import { choicesOf } from '../../ui/filters.tsx';
import type { Draft } from './draft.ts';
import classes from './workflows.module.css';

interface SchedulePickerProps {
  draft: Draft;
  faults: ReadonlyMap<string, string>;
  nextRuns: readonly string[];
  onChange: (changes: Partial<Draft>) => void;
}

type Every = SimpleSchedule['every'] | 'cron';

const choices = choicesOf({
  hour: 'Every hour',
  day: 'Every day',
  week: 'On days of the week',
  month: 'On a day of the month',
  cron: 'Expert: cron expression',
} satisfies Record<Every, string>);

const week = [
  [1, 'Mon', 'Mondays'],
  [2, 'Tue', 'Tuesdays'],
  [3, 'Wed', 'Wednesdays'],
  [4, 'Thu', 'Thursdays'],
  [5, 'Fri', 'Fridays'],
  [6, 'Sat', 'Saturdays'],
  [0, 'Sun', 'Sundays'],
] as const;

/** Days and times in words, or cron for experts, and when the workflow would run. */
export function SchedulePicker({ draft, faults, nextRuns, onChange }: SchedulePickerProps) {
  const { cron, timezone } = draft;
  const centerZone = useZone();
  const [expert, setExpert] = useState(() => readSchedule(cron) === null);
  const simple = expert ? null : readSchedule(cron);
  const every: Every = simple?.every ?? 'cron';
  const set = (schedule: SimpleSchedule) => onChange({ cron: writeSchedule(schedule) });
  const zone = timezone || centerZone;
  const times = timesIn(zone);
  const choose = (next: Every) => {
    setExpert(next === 'cron');
    if (next === 'cron') return;
    const known = readSchedule(cron);
    const time = known && 'time' in known ? known.time : '08:00';
    set(
      {
        hour: { every: 'hour' as const, minute: 0 },
        day: { every: 'day' as const, time },
        week: { every: 'week' as const, days: [1], time },
        month: { every: 'month' as const, day: 1, time },
      }[next],
    );
  };
  return (
    <Stack gap="sm">
      <Select
        label="Runs"
        allowDeselect={false}
        data={choices}
        value={every}
        onChange={(value) => choose(value as Every)}
      />
      {simple?.every === 'week' && (
        <Chip.Group
          multiple
          value={simple.days.map(String)}
          // A schedule without a day would never run.
          onChange={(days) => days.length > 0 && set({ ...simple, days: days.map(Number) })}
        >
          <Group gap={6} role="group" aria-label="Days of the week">
            {week.map(([day, short, long]) => (
              <Chip key={day} size="xs" value={String(day)} aria-label={long}>
                {short}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      {simple?.every === 'month' && (
        <NumberInput
          label="Day of the month"
          description={simple.day > 28 ? 'Months without this day are left out.' : undefined}
          min={1}
          max={31}
          allowDecimal={false}
          value={simple.day}
          onChange={(day) => Number(day) >= 1 && Number(day) <= 31 && set({ ...simple, day: Number(day) })}
        />
      )}
      {simple?.every === 'hour' && (
        <NumberInput
          label="Minute of the hour"
          min={0}
          max={59}
          allowDecimal={false}
          value={simple.minute}
          onChange={(minute) =>
            minute !== '' && Number(minute) <= 59 && set({ ...simple, minute: Number(minute) })
          }
        />
      )}
      {simple && simple.every !== 'hour' && (
        <TextInput
          type="time"
          label="Time of day"
          value={simple.time}
          onChange={({ currentTarget }) =>
            currentTarget.value && set({ ...simple, time: currentTarget.value })
          }
        />
      )}
      {!simple && (
        <TextInput
          label="Cron expression"
          description="Minute, hour, day of month, month, day of week: 0 8 * * 1 is Mondays at 08:00."
          spellCheck={false}
          classNames={{ input: 'mono' }}
          value={cron}
          error={faults.get('cron')}
          onChange={({ currentTarget }) => onChange({ cron: currentTarget.value })}
        />
      )}
      <Select
        label="Time zone"
        placeholder={`${zoneLabel(centerZone)} (zone of the center)`}
        searchable
        clearable
        limit={60}
        data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={timezone || null}
        error={faults.get('timezone')}
        onChange={(value) => onChange({ timezone: value ?? '' })}
      />
      {nextRuns.length > 0 && (
        <div>
          <p className={classes.small}>Next runs, in {zoneLabel(zone)}:</p>
          <ol className={classes.list} aria-label="Next runs">
            {nextRuns.map((run) => (
              <li key={run}>{times.toTheMinute(run)}</li>
            ))}
          </ol>
        </div>
      )}
    </Stack>
  );
}
