import { ActionIcon, Button, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots } from '@tabler/icons-react';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ChangeCenter, type PartnerCenter } from './centers-list.ts';

/** What a partner can do with one of its centers. */
export function CenterMenu({ center, onDone }: { center: PartnerCenter; onDone: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const act = useAct(ChangeCenter);
  const { id, name, status } = center;
  if (status === 'INACTIVE') return null;
  const move = async (to: 'ACTIVE' | 'SUSPENDED') => {
    await act.run({ input: { centerId: id, status: to } });
    onDone();
  };
  const suspend = () =>
    modals.openConfirmModal({
      title: `Suspend ${name}?`,
      children: 'Nobody gets in, and its API keys stop working, until you open it again. Nothing is lost.',
      labels: { confirm: 'Suspend', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => void move('SUSPENDED'),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`} loading={act.busy}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={open}>Name and address</Menu.Item>
          {status === 'ACTIVE' ? (
            <Menu.Item color="var(--cs-bad)" onClick={suspend}>
              Suspend
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => void move('ACTIVE')}>Open again</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Change
        key={`${center.name} ${center.customDomain}`}
        center={center}
        opened={opened}
        onClose={close}
        onDone={onDone}
      />
    </>
  );
}

function Change({
  center: { id, name, tenantType, customDomain },
  opened,
  onClose,
  onDone,
}: {
  center: PartnerCenter;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const act = useAct(ChangeCenter, { quiet: true, done: 'Saved.' });
  const form = useForm({
    initialValues: { name, customDomain: customDomain ?? '' },
    validate: { name: (value) => (value.trim() ? null : 'The center needs a name.') },
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
    <Modal opened={opened} onClose={onClose} title={name}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
          {tenantType === 'WHITE_LABEL' && (
            <TextInput
              label="Address of its own"
              description="A domain that leads here. Empty for none."
              placeholder="portal.example.org"
              {...form.getInputProps('customDomain')}
            />
          )}
          <Button type="submit" loading={act.busy}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
