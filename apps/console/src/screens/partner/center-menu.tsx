import { Button, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { ChangeCenter, type PartnerCenter } from './centers-list.ts';

interface CenterMenusProps {
  centers: readonly PartnerCenter[];
  onDone: () => void;
  children: ReactNode;
}

/** Actions of a partner on a center. */
export function CenterMenus({ centers, onDone, children }: CenterMenusProps) {
  const { row: changing, opened, show, close } = useRowDialog<PartnerCenter>();
  const items = (id: string) => {
    const center = centers.find((each) => String(each.id) === id);
    return center && <CenterItems center={center} onChange={() => show(center)} onDone={onDone} />;
  };
  return (
    <>
      <RowMenu items={items}>{children}</RowMenu>
      <Modal opened={opened} onClose={close} title={changing?.name}>
        {changing && <ChangeForm center={changing} onClose={close} onDone={onDone} />}
      </Modal>
    </>
  );
}

interface CenterItemsProps {
  center: PartnerCenter;
  onChange: () => void;
  onDone: () => void;
}

function CenterItems({ center: { id, name, status }, onChange, onDone }: CenterItemsProps) {
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

function ChangeForm({ center: { id, name, tenantType, customDomain }, onClose, onDone }: ChangeFormProps) {
  const act = useAction(ChangeCenter, { quiet: true, done: 'Saved.' });
  const form = useForm({
    initialValues: { name, customDomain: customDomain ?? '' },
    validate: { name: (value) => (value.trim() ? null : 'Enter a name.') },
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
    <form onSubmit={submit} noValidate>
      <Stack>
        <FailureNote failure={act.failure} />
        <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
        {tenantType === 'WHITE_LABEL' && (
          <TextInput
            label="Custom domain"
            description="A domain that points to this service. Leave empty for none."
            placeholder="portal.example.org"
            {...form.getInputProps('customDomain')}
          />
        )}
        <Button type="submit" loading={act.busy}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
