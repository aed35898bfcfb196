import { Button, Menu, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconMessage } from '@tabler/icons-react';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { menuColumn } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const Channels = graphql(`
  query ChatChannels { chatChannels { id name kind host lastSentAt problem } }
`);
const Save = graphql(`
  mutation SaveChatChannel($input: SaveChatChannelInput!) { saveChatChannel(input: $input) { id } }
`);
const Remove = graphql(`mutation DeleteChatChannel($id: ID!) { deleteChatChannel(id: $id) { id } }`);
const Test = graphql(`mutation TestChatChannel($id: ID!) { testChatChannel(id: $id) { id } }`);

type Channel = ResultOf<typeof Channels>['chatChannels'][number];
type Kind = VariablesOf<typeof Save>['input']['kind'];

const kinds: Record<Kind, string> = {
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  GENERIC: 'Any address (JSON)',
};
/** How long a test message usually takes. */
const TEST_MS = 2_000;

/** Chats that receive messages about waiting and decided decisions. */
export function ChatChannels() {
  const read = useRead(Channels, {});
  useAuditEvents('center.updated', read.reload);
  const [adding, { open, close }] = useDisclosure();
  const test = useAction(Test, { done: 'A test message is on its way.' });
  const remove = useAction(Remove, { done: 'Nothing more is sent there.' });
  const askRemove = ({ id, name }: Channel) =>
    modals.openConfirmModal({
      title: `Delete “${name}”?`,
      children: 'Nothing more is announced there.',
      labels: { confirm: 'Delete', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void remove.run({ id }).then(read.reload),
    });
  const send = ({ id }: Channel) => void test.run({ id }).then(() => setTimeout(read.reload, TEST_MS));
  return (
    <>
      <TablePanel
        title="Chat channels"
        hint="Announces pending and decided decisions with the action, its description and a link. Approving is only possible in the console."
        actions={
          <Button size="xs" variant="default" onClick={open}>
            Add a channel
          </Button>
        }
        of={read}
        rows={read.data?.chatChannels}
        lines={2}
        empty={<Empty small icon={<IconMessage />} title="No channel yet" />}
        menu={(channel) => (
          <>
            <Menu.Item onClick={() => send(channel)}>Send a test message</Menu.Item>
            <Menu.Item color="var(--cs-bad)" onClick={() => askRemove(channel)}>
              Delete
            </Menu.Item>
          </>
        )}
        columns={[
          { name: 'Channel', text: ({ name }) => name },
          { name: 'Sent to', cell: ({ kind, host }) => `${kinds[kind]}, ${host}` },
          { name: 'Last message', cell: (channel) => <ChannelState of={channel} /> },
          menuColumn(),
        ]}
      />
      <NewChannel opened={adding} onClose={close} onDone={read.reload} />
    </>
  );
}

function ChannelState({ of: { problem, lastSentAt } }: { of: Channel }) {
  if (problem) return <Pill tone="bad">{problem}</Pill>;
  return lastSentAt ? <Ago at={lastSentAt} /> : 'None yet';
}

function NewChannel(dialog: DialogProps) {
  const action = useActionForm(Save, {
    done: 'The channel was added.',
    initialValues: { name: '', url: '', kind: 'SLACK' as Kind },
    validate: {
      name: filled('Give the channel a name.'),
      url: (value) => (URL.canParse(value.trim()) ? null : 'Paste the whole address, with https.'),
    },
    input: ({ name, url, kind }) => ({ name: name.trim(), url: url.trim(), kind }),
  });
  return (
    <FormDialog {...dialog} {...action} title="Add a chat channel" verb="Add the channel">
      <TextInput label="Name" placeholder="Finance" required data-autofocus {...action.field('name')} />
      <Select label="Chat" allowDeselect={false} data={choicesOf(kinds)} {...action.field('kind')} />
      <TextInput
        label="Webhook address"
        description="Kept encrypted, and never shown again."
        placeholder="https://hooks.slack.com/services/…"
        required
        {...action.field('url')}
      />
    </FormDialog>
  );
}
