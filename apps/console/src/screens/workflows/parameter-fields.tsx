import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { Json } from '../../graphql/graphql.ts';
import type { Parameter } from './definitions.ts';

type Given = Record<string, Json>;

/** The defaults of the parameters. */
export const startOf = (parameters: Parameter[]): Given =>
  Object.fromEntries(parameters.flatMap(({ name, start }) => (start === null ? [] : [[name, start]])));

interface ParameterFieldsProps {
  parameters: Parameter[];
  given: Given;
  onChange: (given: Given) => void;
}

/** Fields for the parameters of a run. */
export function ParameterFields({ parameters, given, onChange }: ParameterFieldsProps) {
  return parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={given[parameter.name]}
      onChange={(value) => {
        const { [parameter.name]: _, ...others } = given;
        onChange(value === undefined ? others : { ...others, [parameter.name]: value });
      }}
    />
  ));
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
