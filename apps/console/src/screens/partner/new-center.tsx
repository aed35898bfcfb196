import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { tenantHints, tenantLabels, verticalLabels } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { CreateCenter, type NewCenter } from './centers-list.ts';

export function NewCenterDialog({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const act = useAction(CreateCenter, {
    quiet: true,
    done: 'Created. Its administrator is invited by email.',
  });
  const form = useForm({
    initialValues: { name: '', tenantType: 'CENTER', vertical: '', adminEmail: '' },
    validate: {
      name: (value) => (value.trim().length < 2 ? 'Enter a name.' : null),
      vertical: (value) => (value ? null : 'Choose a vertical.'),
      adminEmail: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter an email address.'),
    },
  });
  const submit = form.onSubmit(async ({ name, tenantType, vertical, adminEmail }) => {
    const input = {
      name: name.trim(),
      adminEmail: adminEmail.trim(),
      tenantType: tenantType as NewCenter['tenantType'],
      vertical: vertical as NewCenter['vertical'],
    };
    if (!(await act.run({ input }))) return;
    form.reset();
    onClose();
    onDone();
  });
  return (
    <Modal opened={opened} onClose={onClose} title="New center">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <TextInput
            label="Name of the center"
            description="Its address is derived from the name."
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Select
            label="Vertical"
            placeholder="Choose"
            data={Object.entries(verticalLabels).map(([value, label]) => ({ value, label }))}
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
          <Button type="submit" loading={act.busy}>
            Create center
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
