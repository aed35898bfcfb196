import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { useRoleNames } from '../../session/session-context.ts';
import type { Available } from './draft.ts';
import { ExpressionField } from './expression-field.tsx';
import type { Field } from './kinds.ts';

interface StepFieldProps {
  field: Field;
  value: Json | undefined;
  /** The problem the service found. */
  fault: string | undefined;
  /** Names of later steps that a condition can jump to. */
  later: string[];
  /** Events that can be emitted. */
  events: string[];
  /** Values that its expressions can read. */
  names: Available[];
  onChange: (value: Json | undefined) => void;
}

/** One field of a step. */
export function StepField({ field, value, fault, later, events, names, onChange }: StepFieldProps) {
  const roles = useRoleNames();
  const { label, kind, hint, options = [] } = field;
  const shown = { label, error: fault ?? null, ...(hint && { description: hint }) };
  const text = typeof value === 'string' ? value : '';
  const choices = options.map(([each, words]) => ({ value: each, label: words }));
  switch (kind) {
    case 'long':
    case 'line':
    case 'code':
      return (
        <ExpressionField
          {...shown}
          mode={kind === 'code' ? 'expression' : 'template'}
          multiline={kind === 'long'}
          mono={kind === 'code'}
          value={text}
          names={names}
          onChange={(given) => onChange(given || undefined)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...shown}
          min={0}
          value={typeof value === 'number' ? value : ''}
          onChange={(given) => onChange(given === '' ? undefined : Number(given))}
        />
      );
    case 'json':
      return <JsonField shown={shown} value={value} names={names} onChange={onChange} />;
    case 'choice':
      return (
        <Select
          {...shown}
          data={choices}
          value={text || null}
          onChange={(given) => onChange(given ?? undefined)}
        />
      );
    case 'roles':
      return (
        <MultiSelect
          {...shown}
          data={['ADMIN', 'INSTRUCTOR'].map((role) => ({ value: role, label: roles.many(role) }))}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(given) => onChange(given)}
        />
      );
    case 'words':
      return (
        <TagsInput
          {...shown}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(given) => onChange(given.length > 0 ? given : undefined)}
        />
      );
    case 'target':
      return (
        <Select
          {...shown}
          allowDeselect={false}
          data={[
            { value: 'end', label: 'Complete the run' },
            { value: 'fail', label: 'Fail the run' },
            ...later.map((name) => ({ value: name, label: `Skip to ${name}` })),
          ]}
          value={text || 'end'}
          onChange={(given) => onChange(given ?? undefined)}
        />
      );
    case 'event':
      return (
        <Select
          {...shown}
          searchable
          data={[...new Set([...events, ...(text ? [text] : [])])]}
          value={text || null}
          onChange={(given) => onChange(given ?? undefined)}
        />
      );
    default:
      return (
        <TextInput
          {...shown}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}

/** JSON as text, kept as typed until it is valid. */
function JsonField({
  shown,
  value,
  names,
  onChange,
}: {
  shown: { label: string; error: string | null; description?: string };
  value: Json | undefined;
  names: Available[];
  onChange: (value: Json | undefined) => void;
}) {
  const [typed, setTyped] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [broken, setBroken] = useState(false);
  const take = (text: string) => {
    setTyped(text);
    try {
      onChange(text.trim() ? (JSON.parse(text) as Json) : undefined);
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <ExpressionField
      {...shown}
      error={broken ? 'This is not valid JSON.' : shown.error}
      mode="template"
      multiline
      mono
      value={typed}
      names={names}
      onChange={take}
    />
  );
}
