import { ActionIcon, Button, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import type { AnyCenter } from './all-centers.ts';

const Suspend = graphql(`
  mutation SuspendCenter($input: CenterMoveInput!) { suspendCenter(input: $input) { id status } }
`);
const Reactivate = graphql(`
  mutation ReactivateCenter($input: CenterMoveInput!) { reactivateCenter(input: $input) { id status } }
`);
const End = graphql(
  `mutation EndCenter($input: CenterMoveInput!) { endCenter(input: $input) { id status } }`,
);

/** Closing a center for a while, opening it again, or ending it. */
export function MoveCenterMenu({ center, onDone }: { center: AnyCenter; onDone: () => void }) {
  const [ending, { open, close }] = useDisclosure();
  const suspend = useAct(Suspend, { done: 'Suspended.' });
  const reactivate = useAct(Reactivate, { done: 'Open again.' });
  const { id, name, status } = center;
  const input = { id: String(id) };
  if (status === 'INACTIVE') return null;
  const askToSuspend = () =>
    modals.openConfirmModal({
      title: `Suspend ${name}?`,
      children: 'Nobody gets in, and its API keys stop working, until it is opened again. Nothing is lost.',
      labels: { confirm: 'Suspend', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => void suspend.run({ input }).then(onDone),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'ACTIVE' ? (
            <Menu.Item onClick={askToSuspend}>Suspend</Menu.Item>
          ) : (
            <Menu.Item onClick={() => void reactivate.run({ input }).then(onDone)}>Open again</Menu.Item>
          )}
          <Menu.Item color="var(--cs-bad)" onClick={open}>
            End for good
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EndDialog center={center} opened={ending} onClose={close} onDone={onDone} />
    </>
  );
}

function EndDialog({
  center: { id, name, centerDomain },
  opened,
  onClose,
  onDone,
}: {
  center: AnyCenter;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const [typed, setTyped] = useState('');
  const end = useAct(End, { quiet: true, done: 'Ended.' });
  const go = async () => {
    if (!(await end.run({ input: { id: String(id) } }))) return;
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`End ${name} for good?`}>
      <Stack>
        <FailureNote failure={end.failure} />
        <p style={{ margin: 0 }}>
          All its memberships end with it, and it cannot be opened again. Its records and proofs stay.
        </p>
        <TextInput
          label={`Type ${centerDomain} to go on`}
          value={typed}
          data-autofocus
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button color="red" disabled={typed !== centerDomain} loading={end.busy} onClick={() => void go()}>
          End the center
        </Button>
      </Stack>
    </Modal>
  );
}
