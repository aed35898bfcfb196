import { ActionIcon, Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './calendar.module.css';
import { clock, minutesOf, weekdays } from './week.ts';

const HoursOf = graphql(`
  query HoursOf($instructorId: ID!) {
    availability(instructorId: $instructorId) { weekday startMinute endMinute slotMinutes }
    requestedAvailability(instructorId: $instructorId) { weekday startMinute endMinute slotMinutes }
  }
`);
const ConfirmHours = graphql(`
  mutation ConfirmHours($input: ConfirmAvailabilityInput!) { confirmAvailability(input: $input) { weekday } }
`);
const SetHours = graphql(`
  mutation SetHours($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }
`);

type Rule = ResultOf<typeof HoursOf>['availability'][number];

interface HoursProps {
  instructorId: string;
  name: string | undefined;
  /** Whether these are the hours of the signed-in user. */
  own: boolean;
  onChanged: () => void;
}

/** The weekly hours in which an instructor can be booked. */
export function Hours({ instructorId, name, own, onChanged }: HoursProps) {
  const read = useRead(HoursOf, { instructorId });
  const changed = () => {
    read.reload();
    onChanged();
  };
  return (
    <Panel title={name ? `Hours of ${name}` : 'Hours'} hint="Repeats every week.">
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ availability, requestedAvailability }) => (
          <>
            {requestedAvailability.length > 0 && (
              <Requested
                instructorId={instructorId}
                rules={requestedAvailability}
                own={own}
                name={name}
                onConfirmed={changed}
              />
            )}
            <Form
              key={JSON.stringify(availability)}
              instructorId={instructorId}
              rules={availability}
              onSaved={changed}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Requested hours that an instructor of several centers has not confirmed yet. */
function Requested({
  instructorId,
  rules,
  own,
  name,
  onConfirmed,
}: Omit<HoursProps, 'onChanged'> & { rules: Rule[]; onConfirmed: () => void }) {
  const roles = useRoleNames();
  const act = useAction(ConfirmHours, { done: 'Confirmed.' });
  return (
    <div className={classes.requested}>
      <p className={classes.waits}>
        {own
          ? 'The center asks for these hours'
          : `Waiting for ${name ?? `the ${roles.oneInText('INSTRUCTOR')}`} to confirm`}
      </p>
      <ul>
        {rules.map(({ weekday, startMinute, endMinute, slotMinutes }) => (
          <li key={`${weekday} ${startMinute}`}>
            {weekdays[weekday - 1]}, {clock(startMinute)} to {clock(endMinute % 1_440)}, {slotMinutes} minutes
            each
          </li>
        ))}
      </ul>
      {own && (
        <Button
          size="compact-sm"
          loading={act.busy}
          onClick={() => void act.run({ input: { instructorId } }).then(onConfirmed)}
        >
          Confirm these hours
        </Button>
      )}
    </div>
  );
}

function Form({
  instructorId,
  rules: start,
  onSaved,
}: {
  instructorId: string;
  rules: Rule[];
  onSaved: () => void;
}) {
  const [rules, setRules] = useState(start);
  const act = useAction(SetHours, { quiet: true, done: 'Saved.' });
  const set = (place: number, changes: Partial<Rule>) =>
    setRules(rules.map((rule, at) => (at === place ? { ...rule, ...changes } : rule)));
  const add = () => {
    const weekday = Math.min(7, (rules.at(-1)?.weekday ?? 0) + 1);
    setRules([...rules, { weekday, startMinute: 540, endMinute: 1_020, slotMinutes: 60 }]);
  };
  return (
    <div className={classes.hours}>
      <FailureNote failure={act.failure} />
      {rules.length === 0 && <p className={classes.quiet}>No hours yet.</p>}
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key while they are edited
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
        <Button
          loading={act.busy}
          onClick={() => void act.run({ input: { instructorId, rules } }).then(onSaved)}
        >
          Save hours
        </Button>
      </Group>
    </div>
  );
}
