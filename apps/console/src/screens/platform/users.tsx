import { printable } from '@countersign/proof-kit/printable';
import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { count } from '../../text/labels.ts';
import { Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRefresh } from '../../ui/use-refresh.ts';
import { accountStatus } from './account-status.ts';

const AllPeople = graphql(`
  query AllPeople($first: Int, $last: Int, $after: String, $before: String, $search: String) {
    allPeople(first: $first, last: $last, after: $after, before: $before, search: $search) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node {
          id
          name
          email
          platformAdmin
          suspendedAt
          createdAt
          memberships { centerName role status }
          partners { name }
        }
      }
    }
  }
`);

type Person = ResultOf<typeof AllPeople>['allPeople']['edges'][number]['node'];

const list = getRouteApi('/inside/platform/users');

/** Memberships that ended or were declined are no places of a person. */
const notes: Record<string, string> = {
  ACTIVE: '',
  INVITED: ' (invited)',
  PENDING: ' (waiting for approval)',
  SUSPENDED: ' (suspended)',
};

/** The centers, partner or platform of a user, in one line. */
function placesOf({ platformAdmin, partners, memberships }: Person): string {
  const places = [
    ...(platformAdmin ? ['Platform'] : []),
    ...partners.map(({ name }) => name),
    ...memberships.flatMap(({ status, centerName }) => {
      const note = notes[status];
      return note === undefined ? [] : [`${centerName}${note}`];
    }),
  ];
  const [first, second, ...rest] = places;
  return [first, second, rest.length > 0 ? `${rest.length} more` : null].filter(Boolean).join(', ') || 'None';
}

const columns: Column<Person>[] = [
  { name: 'Person', text: ({ name }) => printable(name), href: ({ id }) => `/platform/users/${id}` },
  { name: 'Email', cell: ({ email }) => email },
  { name: 'Belongs to', cell: placesOf },
  accountStatus,
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
];

export default function UsersScreen() {
  const read = useList(AllPeople, list.useSearch(), ({ search }) => ({ search }));
  useRefresh(read.reload);
  return (
    <Page title="Users" intro="All accounts of this installation and where they belong.">
      <Filters of={read} search="Search name or email" />
      <PagedTable
        of={read}
        empty={<Empty icon={<IconUsers />} title="No matching people" />}
        label="Users"
        linked
        columns={columns}
        words={(total) => count(total, 'person', 'people')}
        ways={['Previous', 'Next']}
      />
    </Page>
  );
}
