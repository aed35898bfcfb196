import { Button, type ButtonProps, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Failure } from '../graphql/failure.ts';
import { FailureNote } from './failure-note.tsx';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** After the change. */
  onDone: () => void;
}

interface Change {
  busy: boolean;
  failure: Failure | undefined;
}

interface ActionFormProps {
  act: Change;
  /** The label of the button. */
  verb: string;
  disabled?: boolean;
  button?: Pick<ButtonProps, 'color' | 'size' | 'variant'>;
  /** In a panel the button is only as wide as its label. */
  inPanel?: boolean;
  onSubmit: () => unknown;
  children: ReactNode;
}

/** A form that changes something: the error, the fields and the button. */
export function ActionForm({
  act,
  verb,
  disabled = false,
  button,
  inPanel,
  onSubmit,
  children,
}: ActionFormProps) {
  const submit = (
    <Button type="submit" loading={act.busy} disabled={disabled} {...button}>
      {verb}
    </Button>
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) onSubmit();
      }}
    >
      <Stack>
        <FailureNote failure={act.failure} />
        {children}
        {inPanel ? <div>{submit}</div> : submit}
      </Stack>
    </form>
  );
}

interface FormDialogProps<Values> extends Omit<DialogProps, 'onDone'> {
  title: string;
  size?: 'lg';
  form: UseFormReturnType<Values>;
  act: Change;
  verb: string;
  disabled?: boolean;
  /** Resolves to null on failure: the dialog stays open with its values. */
  save: (values: Values) => Promise<unknown>;
  onDone?: () => void;
  children: ReactNode;
}

/** A dialog with a form. After the change it closes, empty for the next time. */
export function FormDialog<Values extends Record<string, unknown>>({
  title,
  size,
  opened,
  onClose,
  onDone,
  form,
  save,
  ...rest
}: FormDialogProps<Values>) {
  const submit = form.onSubmit(async (values) => {
    if (!(await save(values))) return;
    form.reset();
    onClose();
    onDone?.();
  });
  return (
    <Modal opened={opened} onClose={onClose} title={title} {...(size && { size })}>
      <ActionForm onSubmit={submit} {...rest} />
    </Modal>
  );
}

/** Validates that a field is filled. */
export const filled = (message: string) => (value: string) => (value.trim() ? null : message);

export const isEmail = (value: string) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter an email address.');
