import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count, membershipStates } from '../../text/labels.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { membershipStatus } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { actionsColumn } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { ApproveMember } from '../people/approve-member.tsx';
import { memberColumns } from '../people/member-columns.tsx';

const PartnerMembers = graphql(`
  query PartnerMembers($first: Int, $last: Int, $after: String, $before: String, $search: String, $status: MembershipStatus) {
    partnerMembers(first: $first, last: $last, after: $after, before: $before, search: $search, status: $status) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id name email role status centerName centerVertical invitedAt } }
    }
  }
`);

type Member = ResultOf<typeof PartnerMembers>['partnerMembers']['edges'][number]['node'];

const route = getRouteApi('/inside/partner/members');
const PAGE = 25;
const selects = { status: ['Status', 'Any status', choicesOf(membershipStates)] } as const;

/** All members of the partner's centers. */
export function PartnerMembersScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { search, status } = shown;
  const read = usePages(PartnerMembers, PAGE, shown, {
    search,
    status: status as VariablesOf<typeof PartnerMembers>['status'],
  });
  useBusiness(['done'], read.reload);
  const [title, hint] = search
    ? ['No matching people', 'Try a shorter search.']
    : status
      ? ['No members with this status', 'Choose another status.']
      : ['Your centers have no members yet', 'Create a center: its administrator is the first member.'];
  return (
    <Page
      title="Members"
      intro="Members of your centers. The administrators of a center approve its members; you approve those of a new center."
    >
      <Filters shown={shown} onChange={narrow} search="Search name or email" selects={selects} />
      <PagedTable
        of={read}
        list={({ partnerMembers }) => partnerMembers}
        empty={
          <Empty icon={<IconUsers />} title={title!}>
            {hint}
          </Empty>
        }
        label="Members"
        columns={memberColumns<Member>(
          membershipStatus,
          { name: 'Invited', right: true, wideOnly: true, cell: ({ invitedAt }) => <Day at={invitedAt} /> },
          actionsColumn(
            (member) =>
              member.status === 'PENDING' && (
                <ApproveMember key={member.id} member={member} decline onDone={read.reload} />
              ),
          ),
        )}
        words={(total) => count(total, 'membership')}
        ways={['Previous', 'Next']}
        onPage={change}
      />
    </Page>
  );
}
