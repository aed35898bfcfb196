import { Checkbox, Text, Textarea } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import type { ReactNode } from 'react';
import { ActionForm, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { type Person, Suspend } from './one-person.ts';

interface ConfirmFormProps<Data> {
  mutation: TadaDocumentNode<Data, { input: { id: string } }>;
  id: string;
  verb: string;
  /** The toast after success. */
  done: string;
  isRed?: boolean;
  onDone: () => void;
  /** The consequence. */
  children: ReactNode;
}

export function ConfirmForm<Data>({
  mutation,
  id,
  verb,
  done,
  isRed,
  onDone,
  children,
}: ConfirmFormProps<Data>) {
  const action = useActionForm(mutation, { initialValues: {}, input: () => ({ id }), done, onDone });
  return (
    <ActionForm {...action} verb={verb} {...(isRed && { button: { color: 'red' } })}>
      <Text size="sm">{children}</Text>
    </ActionForm>
  );
}

interface SuspendFormProps {
  person: Person;
  onDone: () => void;
}

/** Asks for the reason, and for a confirmation if centers would lose their only administrator. */
export function SuspendForm({ person: { id, name, onlyAdminOf }, onDone }: SuspendFormProps) {
  const action = useActionForm(Suspend, {
    done: 'The account is suspended.',
    initialValues: { reason: '', leaveWithoutAdmin: false },
    validate: { reason: filled('Enter a reason.') },
    input: ({ reason, leaveWithoutAdmin }) => ({ id, reason: reason.trim(), leaveWithoutAdmin }),
    onDone,
  });
  const strands = onlyAdminOf.length > 0;
  const { leaveWithoutAdmin } = action.form.values;
  return (
    <ActionForm
      {...action}
      verb="Suspend account"
      button={{ color: 'red' }}
      disabled={strands && !leaveWithoutAdmin}
    >
      <Text size="sm">
        {name} is signed out everywhere at once and cannot sign in until the account is restored. Delegations
        to and from {name} end. Memberships stay.
      </Text>
      <Textarea
        label="Reason"
        description="Kept in the audit log of the installation; centers do not see it."
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        {...action.field('reason')}
      />
      {strands && (
        <Checkbox
          label={`Leave ${onlyAdminOf.map(({ centerName }) => centerName).join(', ')} without an administrator`}
          description="You or the partner of the center can approve another one."
          checked={leaveWithoutAdmin}
          onChange={({ currentTarget }) =>
            action.form.setFieldValue('leaveWithoutAdmin', currentTarget.checked)
          }
        />
      )}
    </ActionForm>
  );
}
