import { TablePanel } from '../../ui/loaded-table.tsx';
import { actionsColumn } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { ApproveMember } from './approve-member.tsx';
import { type ListedMember, memberColumns } from './member-columns.tsx';

interface Pending extends ListedMember {
  id: string;
  invitedAt: string;
}

interface PendingMembersProps {
  members: Pending[];
  hint: string;
  onDone: () => void;
}

/** People of several centers who have accepted an invitation and wait for approval; empty if there are none. */
export function PendingMembers({ members, hint, onDone }: PendingMembersProps) {
  if (members.length === 0) return null;
  return (
    <TablePanel
      title="Waiting for your approval"
      hint={hint}
      tone="warn"
      rows={members}
      columns={memberColumns<Pending>(
        { name: 'Invited', right: true, wideOnly: true, cell: ({ invitedAt }) => <Ago at={invitedAt} /> },
        actionsColumn((member) => <ApproveMember key={member.id} member={member} decline onDone={onDone} />),
      )}
    />
  );
}
