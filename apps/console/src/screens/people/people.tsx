import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { usePages } from '../../graphql/use-pages.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { membershipStates, stateOf } from '../../text/labels.ts';
import { memberRoles, type RoleNames } from '../../text/roles.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useCommand } from '../../ui/commands.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { Guardians } from './guardians.tsx';
import { Invite } from './invite.tsx';
import { type Away, AwayPill, useAway } from './member-absences.tsx';
import { MemberActions, MemberMenus } from './member-menu.tsx';
import { type Member, type MemberFilter, Members } from './members.ts';
import classes from './people.module.css';

const route = getRouteApi('/inside/c/$center/people');
const statusChoices = Object.entries(membershipStates).map(([value, [label]]) => ({ value, label }));
const PAGE = 25;

type Search = ReturnType<typeof route.useSearch>;

const columnsOf = (center: string, roles: RoleNames, away: Away, onDone: () => void): Column<Member>[] => [
  {
    name: 'Person',
    text: ({ name }) => name,
    cell: ({ id, name, email, phone }) => (
      <span className={classes.person}>
        <Avatar name={name || email || '?'} size={34} />
        <span>
          <RowLink href={`/c/${center}/people/${id}`}>{name || email}</RowLink>
          {email !== name && <span className={classes.contact}>{email ?? phone}</span>}
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
    name: 'Since',
    right: true,
    wideOnly: true,
    cell: ({ activatedAt, invitedAt }) => <Day at={activatedAt ?? invitedAt} />,
  },
  {
    name: 'Actions',
    unnamed: true,
    right: true,
    cell: (member) => <MemberActions member={member} onDone={onDone} />,
  },
];

export function PeopleScreen() {
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
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { status, role, search: words, after, before } = shown;
  const read = usePages(
    Members,
    PAGE,
    { after, before },
    { filter: { status, role, search: words } as MemberFilter },
  );
  useAuditEvents('membership.moved', read.reload);
  const filtered = Boolean(status || role || words);
  const members = read.data?.members.edges.map(({ node }) => node) ?? [];
  const { center } = route.useParams();
  const roles = useRoleNames();
  const away = useAway();
  const columns = useMemo(
    () => columnsOf(center, roles, away, read.reload),
    [center, roles, away, read.reload],
  );
  return (
    <>
      <Filters status={status} role={role} words={words} onChange={narrow} />
      <Panel flush>
        <MemberMenus members={members} onDone={read.reload}>
          <PagedTable
            of={read}
            list={(data) => data.members}
            empty={
              <Empty icon={<IconUsers />} title={filtered ? 'No matching people' : 'No members yet'}>
                {filtered ? 'Remove a filter.' : 'Invite people by mail.'}
              </Empty>
            }
            label="Members"
            linked
            columns={columns}
            keyOf={({ id }) => id}
            onPage={change}
          />
        </MemberMenus>
      </Panel>
      <InviteDialog opened={inviting} onClose={onInvited} onDone={read.reload} />
    </>
  );
}

/** Independent of page and filters. */
const InviteDialog = memo(Invite);

interface FiltersProps {
  status: string | undefined;
  role: string | undefined;
  words: string | undefined;
  onChange: (changes: Partial<Search>) => void;
}

/** A separate component, so that turning pages does not render it. */
const Filters = memo(function Filters({ status, role, words, onChange }: FiltersProps) {
  const roles = useRoleNames();
  return (
    <FilterBar>
      <SearchField initial={words ?? ''} placeholder="Search name or address" onChange={onChange} />
      <FilterSelect
        name="status"
        label="Status"
        placeholder="Any status"
        choices={statusChoices}
        value={status}
        onChange={onChange}
      />
      <FilterSelect
        name="role"
        label="Role"
        placeholder="Any role"
        choices={memberRoles.map((value) => ({ value, label: roles.one(value) }))}
        value={role}
        onChange={onChange}
      />
    </FilterBar>
  );
});
