import { printable } from '@countersign/proof-kit/printable';
import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { roleNames } from '../../text/roles.ts';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { membershipStatus, StatePill } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Day, ExactTime } from '../../ui/time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { accountState } from './account-status.ts';
import { OnePerson } from './one-person.ts';
import { UserAccess } from './user-access.tsx';

const route = getRouteApi('/inside/platform/users/$id');

/** An account, where it belongs, and what a platform administrator can do to it. */
export default function UserScreen() {
  const { id } = route.useParams();
  const read = useRead(OnePerson, { id });
  useRefresh(read.reload);
  return (
    <Loaded of={read} page="User" skeleton={<PanelsSkeleton lines={[5, 4, 3]} />}>
      {({ person }) => (
        <Page
          title={printable(person.name)}
          badge={
            <>
              {person.suspendedAt && <StatePill of={accountState(person)} />}
              {person.platformAdmin && <Pill tone="info">Platform admin</Pill>}
            </>
          }
          back={<BackLink to="/platform/users" label="Users" />}
        >
          <Panel title="Account">
            <Facts
              wide
              of={[
                ['Email', person.email],
                ['Phone', person.phone],
                ['Active sessions', person.activeSessions.toLocaleString()],
                ['Since', <Day key="since" at={person.createdAt} />],
                ['Suspended', person.suspendedAt && <ExactTime key="suspended" at={person.suspendedAt} />],
                ...person.partners.map(({ id: partner, name, role }): [string, ReactNode] => [
                  roleNames().one(role),
                  <TextLink key={partner} to="/platform/partners/$id" params={{ id: partner }}>
                    {name}
                  </TextLink>,
                ]),
              ]}
            />
          </Panel>
          <UserAccess person={person} onDone={read.reload} />
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
