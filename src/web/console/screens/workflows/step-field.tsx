import { MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import type { Field } from './kinds.ts';

interface StepFieldProps {
  field: Field;
  value: Json | undefined;
  /** What the service says about it. */
  fault: string | undefined;
  /** Names of later steps, where a condition can lead to. */
  later: string[];
  /** Events that can be told. */
  events: string[];
  onChange: (value: Json | undefined) => void;
}

/** One thing to fill in of a step. */
export function StepField({ field, value, fault, later, events, onChange }: StepFieldProps) {
  const { label, kind, hint, options = [] } = field;
  const shown = { label, error: fault ?? null, ...(hint && { description: hint }) };
  const text = typeof value === 'string' ? value : '';
  const choices = options.map(([each, words]) => ({ value: each, label: words }));
  switch (kind) {
    case 'long':
      return (
        <Textarea
          {...shown}
          autosize
          minRows={2}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
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
      return <JsonField shown={shown} value={value} onChange={onChange} />;
    case 'choice':
      return (
        <Select
          {...shown}
          data={choices}
          value={text || null}
          onChange={(given) => onChange(given ?? undefined)}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...shown}
          data={choices}
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
            ...later.map((name) => ({ value: name, label: `It goes on with ${name}` })),
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
          {...(kind === 'code' && { spellCheck: false, classNames: { input: 'mono' } })}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}

/** JSON as text: kept as typed until it can be read. */
function JsonField({
  shown,
  value,
  onChange,
}: {
  shown: { label: string; error: string | null; description?: string };
  value: Json | undefined;
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
    <Textarea
      {...shown}
      error={broken ? 'This is not valid JSON.' : shown.error}
      autosize
      minRows={1}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      value={typed}
      onChange={({ currentTarget }) => take(currentTarget.value)}
    />
  );
}
