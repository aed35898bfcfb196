import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { membershipStates, stateOf } from '../../text/labels.ts';
import { memberRoles, type RoleNames } from '../../text/roles.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useCommand } from '../../ui/commands.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { actionsColumn, type Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { Guardians } from './guardians.tsx';
import { Invite } from './invite.tsx';
import { type Away, AwayPill, useAway } from './member-absences.tsx';
import { MemberActions, MemberItems, RoleDialog } from './member-menu.tsx';
import { type Member, type MemberFilter, Members } from './members.ts';
import classes from './people.module.css';
import { EmergencyPill, type ProviderName, signInWay, useProviderName } from './sign-in-way.tsx';

const route = getRouteApi('/inside/c/$center/people');

const selectsOf = (roles: RoleNames) => ({
  status: ['Status', 'Any status', choicesOf(membershipStates)] as const,
  role: ['Role', 'Any role', memberRoles.map((value) => ({ value, label: roles.one(value) }))] as const,
});

interface Shown {
  center: string;
  roles: RoleNames;
  away: Away;
  provider: ProviderName | null;
  onDone: () => void;
}

const columnsOf = ({ center, roles, away, provider, onDone }: Shown): Column<Member>[] => [
  {
    name: 'Person',
    text: ({ name }) => name,
    cell: ({ id, name, email, phone }) => (
      <span className={classes.person}>
        <Avatar name={name || email || '?'} size={34} />
        <span>
          <RowLink href={`/c/${center}/people/${id}`}>{name || email}</RowLink>
          {email !== name && <span className="subline">{email ?? phone}</span>}
        </span>
      </span>
    ),
  },
  {
    name: 'Role',
    text: ({ role }) => roles.one(role),
    cell: ({ role, pendingRole }) =>
      pendingRole ? (
        <span title="Waiting for confirmation by mail">
          {roles.one(role)}, {roles.oneInText(pendingRole)} once confirmed
        </span>
      ) : (
        roles.one(role)
      ),
  },
  { name: 'Email', fileOnly: true, cell: ({ email }) => email },
  { name: 'Phone', fileOnly: true, cell: ({ phone }) => phone },
  {
    name: 'Status',
    text: ({ status }) => stateOf(membershipStates, status)[0],
    cell: ({ id, status }) => {
      const absence = away.get(id);
      return absence ? <AwayPill {...absence} /> : <MembershipState status={status} />;
    },
  },
  {
    name: 'Signs in with',
    wideOnly: true,
    text: (member) => signInWay(member, provider),
    cell: (member) => (
      <>
        {signInWay(member, provider)}
        {member.directory && <span className="subline">From the directory</span>}
        {member.emergencyAccess && <EmergencyPill />}
      </>
    ),
  },
  {
    name: 'Since',
    right: true,
    wideOnly: true,
    cell: ({ activatedAt, invitedAt }) => <Day at={activatedAt ?? invitedAt} />,
  },
  actionsColumn((member) => <MemberActions member={member} onDone={onDone} />),
];

export default function PeopleScreen() {
  const [inviting, { open, close }] = useDisclosure();
  useCommand('invite-person', open);
  return (
    <Page
      title="People"
      intro="Members of the center, their roles, and who is waiting for your approval."
      actions={
        <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
          Invite person
        </Button>
      }
    >
      <AllMembers inviting={inviting} onInvited={close} />
      <Guardians />
    </Page>
  );
}

/** A separate component, so that search and paging do not render the rest of the page. */
function AllMembers({ inviting, onInvited }: { inviting: boolean; onInvited: () => void }) {
  const read = useList(Members, route.useSearch(), ({ status, role, search }) => ({
    filter: { status, role, search } as MemberFilter,
  }));
  useAuditEvents('membership.moved', read.reload);
  const { status, role, search } = read.shown;
  const filtered = Boolean(status || role || search);
  const { center } = route.useParams();
  const roles = useRoleNames();
  const away = useAway();
  const provider = useProviderName();
  const changing = useRowDialog<Member>();
  const columns = useMemo(
    () => columnsOf({ center, roles, away, provider, onDone: read.reload }),
    [center, roles, away, provider, read.reload],
  );
  const selects = useMemo(() => selectsOf(roles), [roles]);
  return (
    <>
      <Filters of={read} search="Search name or address" selects={selects} />
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconUsers />} title={filtered ? 'No matching people' : 'No members yet'}>
            {filtered ? 'Remove a filter.' : 'Invite people by mail.'}
          </Empty>
        }
        label="Members"
        linked
        columns={columns}
        menu={(member) => (
          <MemberItems member={member} onChangeRole={() => changing.show(member)} onDone={read.reload} />
        )}
      />
      <RoleDialog
        member={changing.row}
        opened={changing.opened}
        onClose={changing.close}
        onDone={read.reload}
      />
      <InviteDialog opened={inviting} onClose={onInvited} onDone={read.reload} />
    </>
  );
}

/** Independent of page and filters. */
const InviteDialog = memo(Invite);
