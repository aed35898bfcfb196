import { TextInput } from '@mantine/core';
import { type DialogProps, FormDialog, useActionForm } from '../../ui/form-dialog.tsx';
import {
  NewCenterFields,
  newCenter,
  newCenterFaults,
  newCenterInput,
} from '../centers/new-center-fields.tsx';
import { CreateCenter } from './centers-list.ts';

export function NewCenterDialog(dialog: DialogProps) {
  const action = useActionForm(CreateCenter, {
    done: 'Created. Its administrator is invited by email.',
    initialValues: newCenter(),
    validate: newCenterFaults,
    input: newCenterInput,
  });
  return (
    <FormDialog {...dialog} {...action} draft="center" title="New center" verb="Create center">
      <TextInput
        label="Name of the center"
        description="Its address is derived from the name."
        data-autofocus
        {...action.field('name')}
      />
      <NewCenterFields
        field={action.field}
        tenantType={action.form.values.tenantType}
        approver="you approve them here"
      />
    </FormDialog>
  );
}
