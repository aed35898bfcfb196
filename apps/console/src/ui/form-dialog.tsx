import { Button, type ButtonProps, Modal, Stack } from '@mantine/core';
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import type { TadaDocumentNode } from 'gql.tada';
import type { ReactNode } from 'react';
import type { Failure } from '../graphql/failure.ts';
import { useAction } from '../graphql/use-action.ts';
import { FailureNote } from './failure-note.tsx';
import { RestoredDraft } from './restored-draft.tsx';
import { useFormDraft } from './use-form-draft.ts';

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

interface ActionFormOptions<Values, Input, Data> {
  initialValues: Values;
  validate?: NonNullable<UseFormInput<Values>['validate']>;
  /** The input of the mutation. */
  input: (values: Values) => Input;
  /** The toast after success. */
  done?: string;
  onDone?: (data: Data, values: Values) => unknown;
}

/** A form for the input of a mutation, to be spread into an ActionForm or a FormDialog. */
export function useActionForm<Data, Input, Values extends Record<string, unknown>>(
  mutation: TadaDocumentNode<Data, { input: Input }>,
  { input, done, onDone, ...options }: ActionFormOptions<Values, NoInfer<Input>, Data>,
) {
  const act = useAction(mutation, { quiet: true, ...(done && { done }) });
  const form = useForm<Values>(options);
  const save = async (values: Values) => {
    const data = await act.run({ input: input(values) });
    if (data) await onDone?.(data, values);
    return data;
  };
  return {
    form,
    act,
    save,
    field: form.getInputProps,
    onSubmit: form.onSubmit((values) => void save(values)),
  };
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
  /** Keeps the values across a reload and the end of the session, under this name. Not for secrets. */
  draft?: string;
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
  draft,
  children,
  ...rest
}: FormDialogProps<Values>) {
  const { restored, discard } = useFormDraft(draft, form);
  const submit = form.onSubmit(async (values) => {
    if (!(await save(values))) return;
    discard();
    onClose();
    onDone?.();
  });
  return (
    <Modal opened={opened} onClose={onClose} title={title} {...(size && { size })}>
      <ActionForm {...rest} onSubmit={submit}>
        <RestoredDraft shown={restored} onDiscard={discard} />
        {children}
      </ActionForm>
    </Modal>
  );
}

interface RowDialogProps<Row> {
  of: { row: Row | null; opened: boolean; close: () => void };
  title: (row: Row) => string;
  size?: 'lg';
  onDone: () => void;
  /** The form, which calls back after the change. */
  children: (row: Row, onDone: () => void) => ReactNode;
}

/** A dialog about one row of a table. Its form is a new one each time it opens. */
export function RowDialog<Row>({
  of: { row, opened, close },
  title,
  size,
  onDone,
  children,
}: RowDialogProps<Row>) {
  const finish = () => {
    close();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={close} title={row && title(row)} {...(size && { size })}>
      {row && children(row, finish)}
    </Modal>
  );
}

/** Validates that a field is filled. */
export const filled = (message: string) => (value: string) => (value.trim() ? null : message);

export const isEmail = (value: string) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter an email address.');
