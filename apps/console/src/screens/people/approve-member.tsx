import { Button, Group } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useAction } from '../../graphql/use-action.ts';
import { MoveMember } from './members.ts';

interface ApproveMemberProps {
  member: { id: string; name: string };
  /** Also offers to decline, if the row has no menu for it. */
  decline?: boolean;
  onDone: () => void;
}

/** Buttons for a member who waits for approval. */
export function ApproveMember({ member: { id, name }, decline = false, onDone }: ApproveMemberProps) {
  const approve = useAction(MoveMember, { done: `${name} is approved.` });
  const reject = useAction(MoveMember, { done: `${name} was declined.` });
  const ask = () =>
    modals.openConfirmModal({
      title: `Decline ${name}?`,
      children: 'They cannot join with this invitation. You can invite them again.',
      labels: { confirm: 'Decline', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => void reject.run({ input: { membershipId: id, to: 'REJECTED' } }).then(onDone),
    });
  return (
    <Group gap={8} justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        loading={approve.busy}
        onClick={() => void approve.run({ input: { membershipId: id, to: 'ACTIVE' } }).then(onDone)}
      >
        Approve<span className="visually-hidden"> {name}</span>
      </Button>
      {decline && (
        <Button size="compact-sm" variant="default" loading={reject.busy} onClick={ask}>
          Decline<span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </Group>
  );
}
