import { ActionIcon, Combobox, Textarea, TextInput, useCombobox } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { Available } from './draft.ts';
import classes from './workflows.module.css';

interface ExpressionFieldProps {
  label: string;
  description?: string;
  error: string | null;
  /** An expression as a whole, or a text with expressions in `{{ }}`. */
  mode: 'expression' | 'template';
  multiline?: boolean;
  mono?: boolean;
  value: string;
  names: Available[];
  onChange: (value: string) => void;
}

const MOST_SHOWN = 60;

/** A field that offers the names of available values: while an expression is typed, and by a button. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { label, description, error, mode, multiline, mono, value, names, onChange } = props;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<{ word: string; asked: boolean }>({ word: '', asked: false });
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const shown = names
    .filter(({ name }) => name.toLowerCase().includes(typed.word.toLowerCase()))
    .slice(0, MOST_SHOWN);

  const take = (text: string, caret: number) => {
    onChange(text);
    const word = wordAt(text, caret, mode);
    setTyped({ word: word ?? '', asked: false });
    const fits =
      word && names.some(({ name }) => name !== word && name.toLowerCase().includes(word.toLowerCase()));
    if (fits) {
      combobox.openDropdown();
      combobox.selectFirstOption();
    } else combobox.closeDropdown();
  };
  const pick = (name: string) => {
    const at = field.current?.selectionStart ?? value.length;
    const word = typed.asked ? '' : (wordAt(value, at, mode) ?? '');
    const inside = mode === 'expression' || isInside(value, at);
    const inserted = inside ? name : `{{ ${name} }}`;
    const start = at - word.length;
    onChange(value.slice(0, start) + inserted + value.slice(at));
    combobox.closeDropdown();
    const caret = start + inserted.length;
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(caret, caret);
    });
  };
  const askForAll = () => {
    setTyped({ word: '', asked: true });
    combobox.toggleDropdown();
    field.current?.focus();
  };
  const shared = {
    ref: field,
    label,
    description,
    error,
    value,
    spellCheck: mode === 'template' && !mono,
    autoComplete: 'off',
    classNames: mono ? { input: 'mono' } : {},
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      take(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length),
    onBlur: () => combobox.closeDropdown(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && combobox.dropdownOpened) {
        event.stopPropagation();
        combobox.closeDropdown();
      }
    },
    rightSection: names.length > 0 && (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Insert a value into ${label}`}
        // The field keeps its caret.
        onMouseDown={(event) => event.preventDefault()}
        onClick={askForAll}
      >
        <IconBraces size={16} />
      </ActionIcon>
    ),
  };
  return (
    <Combobox store={combobox} onOptionSubmit={pick} position="bottom-start">
      <Combobox.Target withKeyboardNavigation={combobox.dropdownOpened}>
        {multiline ? <Textarea {...shared} autosize minRows={mono ? 1 : 2} /> : <TextInput {...shared} />}
      </Combobox.Target>
      <Combobox.Dropdown className={classes.names!}>
        <Combobox.Options aria-label={`Values for ${label}`}>
          {shown.map(({ name, description: about }) => (
            <Combobox.Option key={name} value={name}>
              <span className="mono">{name}</span>
              <span className={classes.small}>{about}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const isInside = (text: string, caret: number) => {
  const before = text.slice(0, caret);
  return before.lastIndexOf('{{') > before.lastIndexOf('}}');
};

/** The name that is being typed at the caret; null where no expression is. */
function wordAt(text: string, caret: number, mode: 'expression' | 'template'): string | null {
  if (mode === 'template' && !isInside(text, caret)) return null;
  return /[A-Za-z_][\w.]*$/.exec(text.slice(0, caret))?.[0] ?? null;
}
