import type { Json } from '../../graphql/graphql.ts';
import type { Parameter } from './definitions.ts';
import type { Field } from './kinds.ts';
import { StepField } from './step-field.tsx';

type Given = Record<string, Json>;

/** The defaults of the parameters. */
export const startOf = (parameters: Parameter[]): Given =>
  Object.fromEntries(parameters.flatMap(({ name, start }) => (start === null ? [] : [[name, start]])));

const fieldKinds = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'switch',
  array: 'json',
  object: 'json',
} as const;

function fieldOf({ name, title, type, required, choices }: Parameter): Field {
  const shown = { path: name, label: title, required };
  if (type === 'string' && choices.length > 0) return { ...shown, kind: 'choice', options: choices };
  const kind = fieldKinds[type];
  return { ...shown, kind, ...(kind === 'json' && { hint: 'As JSON' }) };
}

interface ParameterFieldsProps {
  parameters: Parameter[];
  given: Given;
  onChange: (given: Given) => void;
}

/** Fields for the parameters of a run. */
export function ParameterFields({ parameters, given, onChange }: ParameterFieldsProps) {
  return parameters.map((parameter) => {
    const { [parameter.name]: value, ...others } = given;
    const set = (next: Json | undefined) =>
      onChange(next === undefined ? others : { ...others, [parameter.name]: next });
    // The service says what is wrong with a value that is not JSON.
    return (
      <StepField
        key={parameter.name}
        field={fieldOf(parameter)}
        value={value}
        onChange={set}
        onInvalid={set}
      />
    );
  });
}
