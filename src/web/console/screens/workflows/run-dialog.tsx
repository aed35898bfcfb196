import { Button, Modal, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { type Parameter, RunWorkflow } from './definitions.ts';

interface RunDialogProps {
  id: string;
  name: string;
  parameters: Parameter[];
  opened: boolean;
  onClose: () => void;
  onStarted: (executionId: string) => void;
}

/** Starts a workflow with what it asks for. */
export function RunDialog({ id, name, parameters, opened, onClose, onStarted }: RunDialogProps) {
  const [given, setGiven] = useState<Record<string, Json>>(() =>
    Object.fromEntries(parameters.flatMap((each) => (each.start === null ? [] : [[each.name, each.start]]))),
  );
  const act = useAct(RunWorkflow, { quiet: true });
  const run = async () => {
    const done = await act.run({ input: { id, parameters: given } });
    if (done) onStarted(done.executeWorkflow.id);
  };
  const take = (member: string) => (value: Json | undefined) =>
    setGiven(({ [member]: _, ...others }) => (value === undefined ? others : { ...others, [member]: value }));
  return (
    <Modal opened={opened} onClose={onClose} title={`Run ${name}`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack>
          <FailureNote failure={act.failure} />
          {parameters.length === 0 && <p style={{ margin: 0 }}>No parameters needed.</p>}
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={given[parameter.name]}
              onChange={take(parameter.name)}
            />
          ))}
          <Button type="submit" loading={act.busy}>
            Run it
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

function ParameterField({
  parameter: { title, type, required, choices },
  value,
  onChange,
}: {
  parameter: Parameter;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}) {
  if (type === 'boolean') {
    return (
      <Switch
        label={title}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (type === 'number' || type === 'integer') {
    return (
      <NumberInput
        label={title}
        required={required}
        allowDecimal={type === 'number'}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    );
  }
  if (choices.length > 0) {
    return (
      <Select
        label={title}
        required={required}
        data={choices}
        value={typeof value === 'string' ? value : null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  }
  if (type === 'string') {
    return (
      <TextInput
        label={title}
        required={required}
        value={typeof value === 'string' ? value : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    );
  }
  return (
    <Textarea
      label={title}
      description="As JSON"
      required={required}
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      onBlur={({ currentTarget }) => {
        try {
          onChange(JSON.parse(currentTarget.value) as Json);
        } catch {
          onChange(currentTarget.value || undefined);
        }
      }}
    />
  );
}
