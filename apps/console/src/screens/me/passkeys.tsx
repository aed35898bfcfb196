import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { IconFingerprint, IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import { graphql, type Json } from '../../graphql/graphql.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCommand } from '../../ui/commands.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import type { DialogProps } from '../../ui/form-dialog.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Ago, Day } from '../../ui/time.tsx';

const MyPasskeys = graphql(`
  query MyPasskeys { passkeys { id name createdAt lastUsedAt synced fingerprint } }
`);
const Begin = graphql(`mutation BeginPasskeyRegistration { beginPasskeyRegistration }`);
const Finish = graphql(`
  mutation FinishPasskeyRegistration($input: FinishPasskeyRegistrationInput!) {
    finishPasskeyRegistration(input: $input) { id }
  }
`);
const Remove = graphql(`
  mutation RemovePasskey($input: RemovePasskeyInput!) { removePasskey(input: $input) { id removedAt } }
`);

/** Passkeys for signing in and signing approvals. They cannot be guessed or phished. */
export function Passkeys() {
  const read = useRead(MyPasskeys, {});
  const [opened, { open, close }] = useDisclosure();
  useCommand('add-passkey', open);
  const remove = useAction(Remove, { done: 'The passkey was removed.' });
  const ask = ({ id, name }: { id: string; name: string }) =>
    modals.openConfirmModal({
      title: `Remove “${name}”?`,
      children: 'You can no longer sign in with it. Approvals signed with it stay valid.',
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void remove.run({ input: { id } }).then(read.reload),
    });
  return (
    <>
      <TablePanel
        title="Passkeys"
        hint="Sign in and sign approvals with your fingerprint, face or security key."
        actions={
          browserSupportsWebAuthn() && (
            <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={open}>
              Add passkey
            </Button>
          )
        }
        of={read}
        rows={read.data?.passkeys}
        lines={2}
        empty={
          <Empty small icon={<IconFingerprint />} title="No passkey yet">
            Sign in without a password, and sign approvals that require it.
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: ({ name, fingerprint }) => (
              <span title={`Fingerprint ${fingerprint}`}>
                <strong>{name}</strong>
              </span>
            ),
          },
          { name: 'Kept', cell: ({ synced }) => (synced ? 'Synced' : 'Device-bound') },
          { name: 'Added', cell: ({ createdAt }) => <Day at={createdAt} /> },
          { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never') },
          { name: 'Remove', unnamed: true, right: true, button: { about: ({ name }) => name, onClick: ask } },
        ]}
      />
      <AddPasskey opened={opened} onClose={close} onDone={read.reload} />
    </>
  );
}

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

function AddPasskey({ opened, onClose, onDone }: DialogProps) {
  const client = useClient();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const add = async () => {
    const begun = await client.mutation(Begin, {}).toPromise();
    if (!begun.data) return failureOf(begun.error);
    const response = await startRegistration({
      optionsJSON: begun.data.beginPasskeyRegistration as unknown as Options,
    });
    const input = { name: name.trim(), response: response as unknown as Json };
    const { error } = await client.mutation(Finish, { input }).toPromise();
    if (!error) {
      onDone();
      onClose();
      setName('');
    }
    return failureOf(error);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(await add().catch(passkeyProblem));
    setBusy(false);
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Add passkey">
      <form onSubmit={submit}>
        <Stack>
          <FailureNote failure={failure} />
          <TextInput
            label="Name"
            description="To recognize it later."
            placeholder="My phone"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={busy}
              disabled={!name.trim()}
              leftSection={<IconFingerprint size={16} />}
            >
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
