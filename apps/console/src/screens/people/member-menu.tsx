import { Menu, Modal, Select } from '@mantine/core';
import { modals } from '@mantine/modals';
import { memo, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useRoleNames } from '../../session/session-context.ts';
import { memberRoles } from '../../text/roles.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { RowMenuButton } from '../../ui/row-menu.tsx';
import { ApproveMember } from './approve-member.tsx';
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
  /** Explains actions that are hard to undo. */
  warning?: string;
}

const end: Move = {
  label: 'End membership',
  to: 'ENDED',
  warning: 'They lose access permanently. Their records are kept.',
};

/** The possible changes of a membership in its current status. */
const moves: Partial<Record<Status, Move[]>> = {
  PENDING: [
    { label: 'Approve', to: 'ACTIVE' },
    {
      label: 'Decline',
      to: 'REJECTED',
      warning: 'They cannot join with this invitation. You can invite them again.',
    },
  ],
  ACTIVE: [
    {
      label: 'Suspend',
      to: 'SUSPENDED',
      warning: 'They lose access immediately, until you reinstate them.',
    },
    end,
  ],
  SUSPENDED: [{ label: 'Reinstate', to: 'ACTIVE' }, end],
};

const isChangeable = (status: Status) => status in moves;

const hasMenu = (status: Status) => isChangeable(status) || status === 'INVITED';

/** The end of a member's row. */
export function MemberActions({ member, onDone }: { member: Member; onDone: () => void }) {
  if (!hasMenu(member.status)) return null;
  return (
    <RowMenuButton row={member.id} label={`Actions for ${member.name}`}>
      {member.status === 'PENDING' && <ApproveMember key={member.id} member={member} onDone={onDone} />}
    </RowMenuButton>
  );
}

interface MemberItemsProps {
  member: Member;
  onChangeRole: () => void;
  onDone: () => void;
}

/** Actions on a member. */
export function MemberItems({ member: { id, name, status }, onChangeRole, onDone }: MemberItemsProps) {
  const move = useAction(MoveMember);
  const resend = useAction(ResendInvitation, { done: 'The invitation was resent.' });
  const withdraw = useAction(WithdrawInvitation, { done: 'The invitation was withdrawn.' });
  const input = { membershipId: id };
  const ask = ({ label, to, warning }: Move) => {
    const go = () => void move.run({ input: { membershipId: id, to } }).then(onDone);
    if (!warning) return go();
    return modals.openConfirmModal({
      title: `${label}: ${name}?`,
      children: warning,
      labels: { confirm: label, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: go,
    });
  };
  return (
    <>
      {status === 'INVITED' && (
        <>
          <Menu.Item onClick={() => void resend.run({ input }).then(onDone)}>Resend invitation</Menu.Item>
          <Menu.Item onClick={() => void withdraw.run({ input }).then(onDone)}>Withdraw invitation</Menu.Item>
        </>
      )}
      {isChangeable(status) && <Menu.Item onClick={onChangeRole}>Change role</Menu.Item>}
      {moves[status]?.map((each) => (
        <Menu.Item key={each.to} color={each.warning ? 'var(--cs-bad)' : ''} onClick={() => ask(each)}>
          {each.label}
        </Menu.Item>
      ))}
    </>
  );
}

interface RoleDialogProps extends DialogProps {
  member: Member | null;
}

/** A separate component, so that it does not render with the rows. */
export const RoleDialog = memo(function RoleDialog({ member, opened, onClose, onDone }: RoleDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Role of ${member?.name}`}>
      {member && <RoleForm member={member} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
});

function RoleForm({ member, onClose, onDone }: { member: Member; onClose: () => void; onDone: () => void }) {
  const roles = useRoleNames();
  const [role, setRole] = useState<string | null>(member.role);
  const act = useAction(ChangeRole, {
    quiet: true,
    done: role === 'CHILD' ? 'The person has to confirm it by mail.' : 'The role was changed.',
  });
  const save = async () => {
    if (!(await act.run({ input: { membershipId: member.id, role: role as Role } }))) return;
    onClose();
    onDone();
  };
  return (
    <ActionForm
      act={act}
      verb="Change role"
      disabled={role === member.role && !member.pendingRole}
      onSubmit={() => void save()}
    >
      <Select
        label="Role"
        allowDeselect={false}
        data={memberRoles.map((value) => ({ value, label: roles.one(value) }))}
        value={role}
        onChange={setRole}
      />
    </ActionForm>
  );
}
