import { ActionIcon, Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './calendar.module.css';
import { clock, minutesOf, weekdays } from './week.ts';

const HoursOf = graphql(`
  query HoursOf($instructorId: ID!) {
    availability(instructorId: $instructorId) { weekday startMinute endMinute slotMinutes }
  }
`);
const SetHours = graphql(`
  mutation SetHours($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }
`);

type Rule = ResultOf<typeof HoursOf>['availability'][number];

/** When an instructor can be booked, week by week. */
export function Hours({ instructorId, name }: { instructorId: string; name: string | undefined }) {
  const read = useRead(HoursOf, { instructorId });
  return (
    <Panel title={name ? `Hours of ${name}` : 'Hours'} hint="They come again every week.">
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ availability }) => <Form instructorId={instructorId} rules={availability} />}
      </Loaded>
    </Panel>
  );
}

function Form({ instructorId, rules: start }: { instructorId: string; rules: Rule[] }) {
  const [rules, setRules] = useState(start);
  const act = useAct(SetHours, { quiet: true, done: 'Saved.' });
  const set = (place: number, changes: Partial<Rule>) =>
    setRules(rules.map((rule, at) => (at === place ? { ...rule, ...changes } : rule)));
  const add = () => {
    const weekday = Math.min(7, (rules.at(-1)?.weekday ?? 0) + 1);
    setRules([...rules, { weekday, startMinute: 540, endMinute: 1_020, slotMinutes: 60 }]);
  };
  return (
    <div className={classes.hours}>
      <FailureNote failure={act.failure} />
      {rules.length === 0 && <p className={classes.quiet}>Nothing can be booked yet.</p>}
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that stays while it is changed
        <div key={place} className={classes.stretch}>
          <Select
            label="Day"
            allowDeselect={false}
            data={weekdays.map((label, i) => ({ value: String(i + 1), label }))}
            value={String(rule.weekday)}
            onChange={(value) => set(place, { weekday: Number(value) })}
          />
          <TextInput
            type="time"
            label="From"
            value={clock(rule.startMinute)}
            onChange={({ currentTarget }) => set(place, { startMinute: minutesOf(currentTarget.value) })}
          />
          <TextInput
            type="time"
            label="To"
            value={clock(rule.endMinute % 1_440)}
            onChange={({ currentTarget }) => set(place, { endMinute: minutesOf(currentTarget.value, true) })}
          />
          <NumberInput
            label="Minutes each"
            min={5}
            step={5}
            value={rule.slotMinutes}
            onChange={(value) => set(place, { slotMinutes: Number(value) })}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={`Remove ${weekdays[rule.weekday - 1]} from ${clock(rule.startMinute)}`}
            onClick={() => setRules(rules.filter((_, at) => at !== place))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add hours
        </Button>
        <Button loading={act.busy} onClick={() => void act.run({ input: { instructorId, rules } })}>
          Save the hours
        </Button>
      </Group>
    </div>
  );
}
