import { Menu, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm, filled, useActionForm } from '../../ui/form-dialog.tsx';
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
  onDone: () => void;
}

export function ChangeForm({ center, onDone }: ChangeFormProps) {
  const { id, name, tenantType, customDomain } = center;
  const action = useActionForm(ChangeCenter, {
    done: 'Saved.',
    initialValues: { name, customDomain: customDomain ?? '' },
    validate: { name: filled('Enter a name.') },
    input: (values) => ({
      centerId: id,
      name: values.name.trim(),
      ...(tenantType === 'WHITE_LABEL' && { customDomain: values.customDomain.trim() || null }),
    }),
    onDone,
  });
  return (
    <ActionForm {...action} verb="Save">
      <TextInput label="Name" data-autofocus {...action.field('name')} />
      {tenantType === 'WHITE_LABEL' && (
        <TextInput
          label="Custom domain"
          description="A domain that points to this service. Leave empty for none."
          placeholder="portal.example.org"
          {...action.field('customDomain')}
        />
      )}
    </ActionForm>
  );
}
