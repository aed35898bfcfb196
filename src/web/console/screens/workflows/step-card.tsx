import { ActionIcon, Group, Select, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { Json } from '../../graphql/graphql.ts';
import type { StepDraft } from './definitions.ts';
import { kinds } from './kinds.ts';
import { valueAt, withValueAt } from './members.ts';
import { StepField } from './step-field.tsx';
import classes from './workflows.module.css';

interface StepCardProps {
  step: StepDraft;
  place: number;
  /** How many there are. */
  of: number;
  /** Messages by the path inside the step. */
  faults: Map<string, string>;
  later: string[];
  events: string[];
  onChange: (step: StepDraft) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** One step of a workflow, to be written. */
export function StepCard(props: StepCardProps) {
  const { step, place, of: count, faults, later, events, onChange, onMove, onRemove } = props;
  const kind = String(step['kind']);
  const about = kinds[kind];
  const name = typeof step['name'] === 'string' ? step['name'] : '';
  const toKind = (next: string | null) => {
    if (next && kinds[next]) onChange({ name, kind: next, ...kinds[next].start });
  };
  const set = (path: string) => (value: Json | undefined) => onChange(withValueAt(step, path, value));
  const ownPaths = new Set(['name', ...(about?.fields ?? []).map(({ path }) => path)]);
  const others = [...faults].filter(([path]) => !ownPaths.has(path)).map(([, message]) => message);
  return (
    <section
      className={classes.step}
      aria-label={`Step ${place + 1}`}
      data-bad={faults.size > 0 || undefined}
    >
      <header className={classes.stepHead}>
        <span className={classes.place} aria-hidden="true">
          {place + 1}
        </span>
        <p>{about?.about}</p>
        <Group gap={4} wrap="nowrap">
          <Tooltip label="Earlier">
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={place === 0}
              aria-label={`Move step ${place + 1} up`}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Later">
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={place === count - 1}
              aria-label={`Move step ${place + 1} down`}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Remove">
            <ActionIcon
              variant="subtle"
              color="red"
              disabled={count === 1}
              aria-label={`Remove step ${place + 1}`}
              onClick={onRemove}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </header>
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            label="Step name"
            spellCheck={false}
            value={name}
            error={faults.get('name') ?? null}
            onChange={({ currentTarget }) => onChange({ ...step, name: currentTarget.value })}
          />
          <Select
            label="Kind"
            allowDeselect={false}
            data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
            value={kind}
            onChange={toKind}
          />
        </Group>
        {about?.fields.map((field) => (
          <StepField
            // Another kind has other fields: what was typed as JSON must not stay.
            key={`${kind} ${field.path}`}
            field={field}
            value={valueAt(step, field.path)}
            fault={faults.get(field.path)}
            later={later}
            events={events}
            onChange={set(field.path)}
          />
        ))}
        {others.map((message) => (
          <p key={message} className={classes.fault}>
            {message}
          </p>
        ))}
      </Stack>
    </section>
  );
}
