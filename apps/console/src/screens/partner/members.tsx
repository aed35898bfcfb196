import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count, membershipStates } from '../../text/labels.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { membershipStatus } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { actionsColumn } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
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
const selects = { status: ['Status', 'Any status', choicesOf(membershipStates)] } as const;

/** All members of the partner's centers. */
export default function PartnerMembersScreen() {
  const read = useList(PartnerMembers, route.useSearch(), ({ search, status }) => ({
    search,
    status: status as VariablesOf<typeof PartnerMembers>['status'],
  }));
  const { search, status } = read.shown;
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
      <Filters of={read} search="Search name or email" selects={selects} />
      <PagedTable
        of={read}
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
      />
    </Page>
  );
}
