import { ActionIcon, Button, Group, Menu, Modal, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { roleWords } from '../../words/labels.ts';
import {
  ChangeRole,
  type Member,
  MoveMember,
  ResendInvitation,
  type Role,
  WithdrawInvitation,
} from './members.ts';

type Status = Member['status'];

interface Move {
  label: string;
  to: Status;
  done: string;
  /** What it means, where it cannot be taken back lightly. */
  warning?: string;
}

/** What can become of a membership, from where it stands. */
const moves: Partial<Record<Status, Move[]>> = {
  PENDING: [
    { label: 'Let in', to: 'ACTIVE', done: 'Let in.' },
    {
      label: 'Turn down',
      to: 'REJECTED',
      done: 'Turned down.',
      warning: 'They are told that they cannot join.',
    },
  ],
  ACTIVE: [
    {
      label: 'Suspend',
      to: 'SUSPENDED',
      done: 'Suspended.',
      warning: 'They are locked out at once, until you let them in again.',
    },
    {
      label: 'End the membership',
      to: 'ENDED',
      done: 'Ended.',
      warning: 'They lose access for good. What they did stays on record.',
    },
  ],
  SUSPENDED: [
    { label: 'Let in again', to: 'ACTIVE', done: 'Let in again.' },
    {
      label: 'End the membership',
      to: 'ENDED',
      done: 'Ended.',
      warning: 'They lose access for good. What they did stays on record.',
    },
  ],
};

export function MemberMenu({ member, onDone }: { member: Member; onDone: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const move = useAct(MoveMember);
  const resend = useAct(ResendInvitation, { done: 'The mail is on its way again.' });
  const withdraw = useAct(WithdrawInvitation, { done: 'The invitation is withdrawn.' });
  const { id, name, status } = member;
  const input = { membershipId: id };
  const after = async (done: Promise<unknown>) => {
    await done;
    onDone();
  };
  const ask = ({ label, to, warning }: Move) => {
    const go = () => void after(move.run({ input: { membershipId: id, to } }));
    if (!warning) return go();
    return modals.openConfirmModal({
      title: `${label}: ${name}?`,
      children: warning,
      labels: { confirm: label, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: go,
    });
  };
  const possible = moves[status] ?? [];
  const changeable = status === 'ACTIVE' || status === 'PENDING' || status === 'SUSPENDED';
  if (possible.length === 0 && !changeable && status !== 'INVITED') return null;
  const [first] = possible;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {status === 'PENDING' && first && (
        <Button size="compact-sm" loading={move.busy} onClick={() => ask(first)}>
          Let in<span className="visually-hidden"> {name}</span>
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'INVITED' && (
            <>
              <Menu.Item onClick={() => void after(resend.run({ input }))}>Send the mail again</Menu.Item>
              <Menu.Item onClick={() => void after(withdraw.run({ input }))}>
                Withdraw the invitation
              </Menu.Item>
            </>
          )}
          {changeable && <Menu.Item onClick={open}>Change the role</Menu.Item>}
          {possible.map((each) => (
            <Menu.Item key={each.to} color={each.warning ? 'var(--cs-bad)' : ''} onClick={() => ask(each)}>
              {each.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <RoleDialog member={member} opened={opened} onClose={close} onDone={onDone} />
    </Group>
  );
}

function RoleDialog({
  member,
  opened,
  onClose,
  onDone,
}: {
  member: Member;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const [role, setRole] = useState<string | null>(member.role);
  const act = useAct(ChangeRole, { quiet: true, done: 'The role is changed.' });
  const save = async () => {
    if (!(await act.run({ input: { membershipId: member.id, role: role as Role } }))) return;
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Role of ${member.name}`}>
      <Stack>
        <FailureNote failure={act.failure} />
        <Select
          label="Role"
          allowDeselect={false}
          data={['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'].map((value) => ({
            value,
            label: roleWords[value]!,
          }))}
          value={role}
          onChange={setRole}
        />
        <Button onClick={() => void save()} loading={act.busy} disabled={role === member.role}>
          Change the role
        </Button>
      </Stack>
    </Modal>
  );
}
