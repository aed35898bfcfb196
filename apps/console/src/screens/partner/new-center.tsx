import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { tenantHints, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, isEmail } from '../../ui/form-dialog.tsx';
import { CreateCenter, type NewCenter } from './centers-list.ts';

export function NewCenterDialog(dialog: DialogProps) {
  const act = useAction(CreateCenter, {
    quiet: true,
    done: 'Created. Its administrator is invited by email.',
  });
  const form = useForm({
    initialValues: { name: '', tenantType: 'CENTER', vertical: '', adminEmail: '' },
    validate: {
      name: (value) => (value.trim().length < 2 ? 'Enter a name.' : null),
      vertical: filled('Choose a vertical.'),
      adminEmail: isEmail,
    },
  });
  const save = ({ name, tenantType, vertical, adminEmail }: typeof form.values) =>
    act.run({
      input: {
        name: name.trim(),
        adminEmail: adminEmail.trim(),
        tenantType: tenantType as NewCenter['tenantType'],
        vertical: vertical as NewCenter['vertical'],
      },
    });
  return (
    <FormDialog {...dialog} title="New center" form={form} act={act} save={save} verb="Create center">
      <TextInput
        label="Name of the center"
        description="Its address is derived from the name."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label="Vertical"
        placeholder="Choose"
        data={choicesOf(verticalLabels)}
        {...form.getInputProps('vertical')}
      />
      <Select
        label="Kind"
        allowDeselect={false}
        description={tenantHints[form.values.tenantType]}
        data={Object.keys(tenantHints).map((value) => ({ value, label: tenantLabels[value]! }))}
        {...form.getInputProps('tenantType')}
      />
      <TextInput
        label="Email of its administrator"
        description="They get an email with a link. After they accept, you approve them here and they can run the center."
        {...form.getInputProps('adminEmail')}
      />
    </FormDialog>
  );
}
