import { Select, TextInput } from '@mantine/core';
import { tenantHints, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, isEmail, useActionForm } from '../../ui/form-dialog.tsx';
import { CreateCenter, type NewCenter } from './centers-list.ts';

export function NewCenterDialog(dialog: DialogProps) {
  const action = useActionForm(CreateCenter, {
    done: 'Created. Its administrator is invited by email.',
    initialValues: { name: '', tenantType: 'CENTER', vertical: '', adminEmail: '' },
    validate: {
      name: (value) => (value.trim().length < 2 ? 'Enter a name.' : null),
      vertical: filled('Choose a vertical.'),
      adminEmail: isEmail,
    },
    input: ({ name, tenantType, vertical, adminEmail }) => ({
      name: name.trim(),
      adminEmail: adminEmail.trim(),
      tenantType: tenantType as NewCenter['tenantType'],
      vertical: vertical as NewCenter['vertical'],
    }),
  });
  return (
    <FormDialog {...dialog} {...action} draft="center" title="New center" verb="Create center">
      <TextInput
        label="Name of the center"
        description="Its address is derived from the name."
        data-autofocus
        {...action.field('name')}
      />
      <Select
        label="Vertical"
        placeholder="Choose"
        data={choicesOf(verticalLabels)}
        {...action.field('vertical')}
      />
      <Select
        label="Kind"
        allowDeselect={false}
        description={tenantHints[action.form.values.tenantType]}
        data={Object.keys(tenantHints).map((value) => ({ value, label: tenantLabels[value]! }))}
        {...action.field('tenantType')}
      />
      <TextInput
        label="Email of its administrator"
        description="They get an email with a link. After they accept, you approve them here and they can run the center."
        {...action.field('adminEmail')}
      />
    </FormDialog>
  );
}
