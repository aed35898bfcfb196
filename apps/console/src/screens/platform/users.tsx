import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { count } from '../../text/labels.ts';
import { roleNames } from '../../text/roles.ts';
import { Facts } from '../../ui/facts.tsx';
import { Filters } from '../../ui/filters.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { membershipStatus } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

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

/** The centers, partner or platform of a user, in one line. */
function placesOf({ platformAdmin, partners, memberships }: Person): string {
  const places = [
    ...(platformAdmin ? ['Platform'] : []),
    ...partners.map(({ name }) => name),
    ...memberships.filter(({ status }) => status === 'ACTIVE').map(({ centerName }) => centerName),
  ];
  const [first, second, ...rest] = places;
  return [first, second, rest.length > 0 ? `${rest.length} more` : null].filter(Boolean).join(', ') || 'None';
}

const columns: Column<Person>[] = [
  { name: 'Person', text: ({ name }) => name, href: ({ id }) => `/platform/users/${id}` },
  { name: 'Email', cell: ({ email }) => email },
  { name: 'Belongs to', cell: placesOf },
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
];

export default function UsersScreen() {
  const read = useList(AllPeople, list.useSearch(), ({ search }) => ({ search }));
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

const OnePerson = graphql(`
  query OnePerson($id: ID!) {
    person(id: $id) {
      id
      name
      email
      phone
      platformAdmin
      createdAt
      memberships { id centerId centerName role status }
      partners { id name role }
    }
  }
`);

const one = getRouteApi('/inside/platform/users/$id');

export function UserScreen() {
  const { id } = one.useParams();
  const read = useRead(OnePerson, { id });
  return (
    <Loaded of={read} page="User" skeleton={<PanelsSkeleton lines={[5, 3]} />}>
      {({ person }) => (
        <Page
          title={person.name}
          badge={person.platformAdmin ? <Pill tone="info">Platform admin</Pill> : undefined}
          back={<BackLink to="/platform/users" label="Users" />}
        >
          <Panel title="Account">
            <Facts
              wide
              of={[
                ['Email', person.email],
                ['Phone', person.phone],
                ['Since', <Day key="since" at={person.createdAt} />],
                ...person.partners.map(({ id: partner, name, role }): [string, ReactNode] => [
                  roleNames().one(role),
                  <TextLink key={partner} to="/platform/partners/$id" params={{ id: partner }}>
                    {name}
                  </TextLink>,
                ]),
              ]}
            />
          </Panel>
          <TablePanel
            title="Memberships"
            empty={<Empty small icon={<IconUsers />} title="No memberships" />}
            linked
            rows={person.memberships}
            columns={[
              {
                name: 'Center',
                text: ({ centerName }) => centerName,
                href: ({ centerId }) => `/platform/centers/${centerId}`,
              },
              { name: 'Role', cell: ({ role }) => roleNames().one(role) },
              membershipStatus,
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}
