import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { parsedJson } from '../../ui/json.tsx';
import type { Available } from './draft.ts';
import { ExpressionField } from './expression-field.tsx';
import type { Field } from './kinds.ts';

interface StepFieldProps {
  field: Field;
  value: Json | undefined;
  /** The problem the service found. */
  fault?: string | undefined;
  /** Names of later steps that a condition can jump to. */
  later?: string[];
  /** Events that can be emitted. */
  events?: string[];
  /** Values that its expressions can read. */
  names?: Available[];
  onChange: (value: Json | undefined) => void;
  /** Called with a text that should be JSON but is not. Without it, the last valid value stays. */
  onInvalid?: (text: string) => void;
  /** What was typed for JSON and is not valid yet. */
  text?: string | undefined;
  /** Called with a text that is not valid JSON yet, and with undefined once it is. */
  onText?: (text: string | undefined) => void;
}

/** One field of a step, or of the parameters of a run. */
export function StepField(props: StepFieldProps) {
  const { field, value, fault, later = [], events = [], names = [], onChange } = props;
  const roles = useRoleNames();
  const { label, kind, hint, options = [], min, required } = field;
  const shown = {
    label,
    error: fault ?? null,
    ...(hint && { description: hint }),
    ...(required && { required }),
  };
  const text = typeof value === 'string' ? value : '';
  const list = Array.isArray(value) ? value.map(String) : [];
  const select = {
    ...shown,
    value: text || null,
    onChange: (given: string | null) => onChange(given ?? undefined),
  };
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
    case 'integer':
      return (
        <NumberInput
          {...shown}
          {...(min !== undefined && { min })}
          allowDecimal={kind === 'number'}
          value={typeof value === 'number' ? value : ''}
          onChange={(given) => onChange(given === '' ? undefined : Number(given))}
        />
      );
    case 'switch':
      return (
        <Switch
          label={label}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'json':
      return <JsonField {...props} names={names} shown={shown} />;
    case 'choice':
      return <Select {...select} data={options} />;
    case 'target':
      return (
        <Select
          {...select}
          allowDeselect={false}
          data={[
            { value: 'end', label: 'Complete the run' },
            { value: 'fail', label: 'Fail the run' },
            ...later.map((name) => ({ value: name, label: `Skip to ${name}` })),
          ]}
          value={text || 'end'}
        />
      );
    case 'event':
      return <Select {...select} searchable data={[...new Set([...events, ...(text ? [text] : [])])]} />;
    case 'roles':
      return (
        <MultiSelect
          {...shown}
          data={['ADMIN', 'INSTRUCTOR'].map((role) => ({ value: role, label: roles.many(role) }))}
          value={list}
          onChange={onChange}
        />
      );
    case 'words':
      return (
        <TagsInput
          {...shown}
          value={list}
          onChange={(given) => onChange(given.length > 0 ? given : undefined)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...shown}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}

interface JsonFieldProps
  extends Pick<StepFieldProps, 'value' | 'onChange' | 'onInvalid' | 'text' | 'onText'> {
  shown: { label: string; error: string | null; description?: string };
  names: Available[];
}

/** JSON as text, kept as typed until it is valid. */
function JsonField({ shown, value, names, onChange, onInvalid, text: invalid, onText }: JsonFieldProps) {
  const [typed, setTyped] = useState(invalid ?? (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const isBroken = typed.trim() !== '' && parsedJson(typed) === undefined;
  const take = (text: string) => {
    setTyped(text);
    const parsed = parsedJson(text);
    const isValid = parsed !== undefined || !text.trim();
    if (isValid) onChange(parsed);
    else onInvalid?.(text);
    onText?.(isValid ? undefined : text);
  };
  return (
    <ExpressionField
      {...shown}
      // With onText, the form decides when to show it.
      error={isBroken && !onText ? 'This is not valid JSON.' : shown.error}
      mode="template"
      multiline
      mono
      value={typed}
      names={names}
      onChange={take}
    />
  );
}
