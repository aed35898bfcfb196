import { Menu, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm, filled } from '../../ui/form-dialog.tsx';
import { ChangeCenter, type PartnerCenter } from './centers-list.ts';

interface CenterItemsProps {
  center: PartnerCenter;
  onChange: () => void;
  onDone: () => void;
}

/** Actions of a partner on a center. */
export function CenterItems({ center: { id, name, status }, onChange, onDone }: CenterItemsProps) {
  const act = useAction(ChangeCenter);
  const move = async (to: 'ACTIVE' | 'SUSPENDED') => {
    await act.run({ input: { centerId: id, status: to } });
    onDone();
  };
  const suspend = () =>
    modals.openConfirmModal({
      title: `Suspend ${name}?`,
      children: 'Members lose access and API keys stop working until you reactivate it. No data is lost.',
      labels: { confirm: 'Suspend', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => void move('SUSPENDED'),
    });
  return (
    <>
      <Menu.Item onClick={onChange}>Name and domain</Menu.Item>
      {status === 'ACTIVE' ? (
        <Menu.Item color="var(--cs-bad)" onClick={suspend}>
          Suspend
        </Menu.Item>
      ) : (
        <Menu.Item onClick={() => void move('ACTIVE')}>Reactivate</Menu.Item>
      )}
    </>
  );
}

interface ChangeFormProps {
  center: PartnerCenter;
  onClose: () => void;
  onDone: () => void;
}

export function ChangeForm({ center, onClose, onDone }: ChangeFormProps) {
  const { id, name, tenantType, customDomain } = center;
  const act = useAction(ChangeCenter, { quiet: true, done: 'Saved.' });
  const form = useForm({
    initialValues: { name, customDomain: customDomain ?? '' },
    validate: { name: filled('Enter a name.') },
  });
  const submit = form.onSubmit(async (values) => {
    const input = {
      centerId: id,
      name: values.name.trim(),
      ...(tenantType === 'WHITE_LABEL' && { customDomain: values.customDomain.trim() || null }),
    };
    if (!(await act.run({ input }))) return;
    onClose();
    onDone();
  });
  return (
    <ActionForm act={act} verb="Save" onSubmit={submit}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      {tenantType === 'WHITE_LABEL' && (
        <TextInput
          label="Custom domain"
          description="A domain that points to this service. Leave empty for none."
          placeholder="portal.example.org"
          {...form.getInputProps('customDomain')}
        />
      )}
    </ActionForm>
  );
}
