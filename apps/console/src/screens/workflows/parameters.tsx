import { ActionIcon, Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Json } from '../../graphql/graphql.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Parameter } from './definitions.ts';
import classes from './workflows.module.css';

/** The parameters as the JSON schema that the service stores; null if any input is allowed. */
export function schemaOf(parameters: Parameter[]): Json {
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, type, title, choices, start }) => [
        name,
        {
          type,
          ...(title && title !== name && { title }),
          ...(type === 'string' && choices.length > 0 && { enum: choices }),
          ...(type === 'array' && { items: { type: 'string' } }),
          ...(start !== null && typeof start !== 'object' && { default: start }),
        },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

const types = choicesOf({
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Result',
  array: 'List of strings',
  object: 'Object',
});

/** The parameters requested at each run. */
export function Parameters({
  parameters,
  fault,
  onChange,
}: {
  parameters: Parameter[];
  fault: string | undefined;
  onChange: (parameters: Parameter[]) => void;
}) {
  const set = (place: number, changes: Partial<Parameter>) =>
    onChange(parameters.map((each, at) => (at === place ? { ...each, ...changes } : each)));
  const add = () => {
    const name = `value${parameters.length + 1}`;
    onChange([...parameters, { name, type: 'string', title: '', required: true, choices: [], start: null }]);
  };
  return (
    <Panel title="Parameters" hint="Use them in steps as parameters.name.">
      <Stack>
        {parameters.map((parameter, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed
          <Stack key={place} gap={8} className={classes.step!}>
            <TextInput
              label="Name"
              spellCheck={false}
              value={parameter.name}
              onChange={({ currentTarget }) => set(place, { name: currentTarget.value })}
            />
            <TextInput
              label="Shown as"
              value={parameter.title}
              onChange={({ currentTarget }) => set(place, { title: currentTarget.value })}
            />
            <Select
              label="Kind"
              allowDeselect={false}
              data={types}
              value={parameter.type}
              onChange={(type) => set(place, { type: type as Parameter['type'], start: null, choices: [] })}
            />
            <div className={classes.stepHead} style={{ margin: 0 }}>
              <Checkbox
                style={{ flex: 1 }}
                label="Required"
                checked={parameter.required}
                onChange={({ currentTarget }) => set(place, { required: currentTarget.checked })}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Remove ${parameter.name}`}
                onClick={() => onChange(parameters.filter((_, at) => at !== place))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          </Stack>
        ))}
        {fault && <p className={classes.fault}>{fault}</p>}
        <div>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
            Add parameter
          </Button>
        </div>
      </Stack>
    </Panel>
  );
}
