import { roleNames } from '../../text/roles.ts';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { ApproveMember } from './approve-member.tsx';
import classes from './people.module.css';

interface Pending {
  id: string;
  name: string;
  email: string | null;
  role: string;
  centerName: string;
  centerVertical: string;
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
    <Panel title="Waiting for your approval" hint={hint} flush tone="warn">
      <Table
        label="Waiting for your approval"
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Person',
            cell: ({ name, email }) => (
              <>
                <strong>{name}</strong>
                {email !== name && <span className={classes.contact}>{email}</span>}
              </>
            ),
          },
          { name: 'Center', cell: ({ centerName }) => centerName },
          { name: 'Role', cell: ({ role, centerVertical }) => roleNames(centerVertical).one(role) },
          { name: 'Invited', right: true, wideOnly: true, cell: ({ invitedAt }) => <Ago at={invitedAt} /> },
          {
            name: 'Actions',
            unnamed: true,
            right: true,
            cell: (member) => <ApproveMember key={member.id} member={member} decline onDone={onDone} />,
          },
        ]}
      />
    </Panel>
  );
}
