import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count, membershipStates, stateOf } from '../../text/labels.ts';
import { roleNames } from '../../text/roles.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { ApproveMember } from '../people/approve-member.tsx';
import classes from './partner.module.css';

const PartnerMembers = graphql(`
  query PartnerMembers($first: Int, $last: Int, $after: String, $before: String, $search: String, $status: MembershipStatus) {
    partnerMembers(first: $first, last: $last, after: $after, before: $before, search: $search, status: $status) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id name email role status centerName centerVertical invitedAt } }
    }
  }
`);

const route = getRouteApi('/inside/partner/members');
const PAGE = 25;
const statusChoices = Object.entries(membershipStates).map(([value, [label]]) => ({ value, label }));

/** All members of the partner's centers. */
export function PartnerMembersScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { search: words, status, after, before } = shown;
  const read = usePages(
    PartnerMembers,
    PAGE,
    { after, before },
    { search: words, status: status as VariablesOf<typeof PartnerMembers>['status'] },
  );
  useBusiness(['done'], read.reload);
  return (
    <Page
      title="Members"
      intro="Members of your centers. The administrators of a center approve its members; you approve those of a new center."
    >
      <FilterBar>
        <SearchField initial={words ?? ''} placeholder="Search name or email" onChange={narrow} />
        <FilterSelect
          name="status"
          label="Status"
          placeholder="Any status"
          choices={statusChoices}
          value={status}
          onChange={narrow}
        />
      </FilterBar>
      <Panel flush>
        <PagedTable
          of={read}
          list={({ partnerMembers }) => partnerMembers}
          empty={
            <Empty
              icon={<IconUsers />}
              title={
                words
                  ? 'No matching people'
                  : status
                    ? 'No members with this status'
                    : 'Your centers have no members yet'
              }
            >
              {words
                ? 'Try a shorter search.'
                : status
                  ? 'Choose another status.'
                  : 'Create a center: its administrator is the first member.'}
            </Empty>
          }
          label="Members"
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Person',
              text: ({ name }) => name,
              cell: ({ name, email }) => (
                <>
                  <strong>{name}</strong>
                  {email !== name && <span className={classes.place}>{email}</span>}
                </>
              ),
            },
            { name: 'Email', fileOnly: true, cell: ({ email }) => email },
            { name: 'Center', cell: ({ centerName }) => centerName },
            { name: 'Role', cell: ({ role, centerVertical }) => roleNames(centerVertical).one(role) },
            {
              name: 'Status',
              text: ({ status }) => stateOf(membershipStates, status)[0],
              cell: ({ status }) => <MembershipState status={status} />,
            },
            {
              name: 'Invited',
              right: true,
              wideOnly: true,
              cell: ({ invitedAt }) => <Day at={invitedAt} />,
            },
            {
              name: 'Actions',
              unnamed: true,
              right: true,
              cell: (member) =>
                member.status === 'PENDING' && (
                  <ApproveMember key={member.id} member={member} decline onDone={read.reload} />
                ),
            },
          ]}
          words={(total) => count(total, 'membership')}
          ways={['Previous', 'Next']}
          onPage={change}
        />
      </Panel>
    </Page>
  );
}
