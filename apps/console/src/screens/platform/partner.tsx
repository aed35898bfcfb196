import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count, verticalLabels } from '../../text/labels.ts';
import { roleNames } from '../../text/roles.ts';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { centerStatus } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';

const OnePartner = graphql(`
  query OnePartner($id: ID!) {
    partner(id: $id) {
      id
      name
      createdAt
      centerCount
      memberCount
      accounts { id name email role createdAt }
    }
    allCenters(first: 10, partnerId: $id) {
      edges { node { id name centerDomain vertical status memberCount } }
    }
  }
`);

const route = getRouteApi('/inside/platform/partners/$id');

/** A partner, its administrators and its first centers. */
export default function PartnerScreen() {
  const { id } = route.useParams();
  const read = useRead(OnePartner, { id });
  useBusiness(['centers'], read.reload);
  return (
    <Loaded of={read} page="Partner" skeleton={<PanelsSkeleton lines={[5, 4]} />}>
      {({ partner, allCenters }) => (
        <Page title={partner.name} back={<BackLink to="/platform/partners" label="Partners" />}>
          <Panel title="Partner">
            <Facts
              wide
              of={{
                Centers: partner.centerCount.toLocaleString(),
                Members: partner.memberCount.toLocaleString(),
                Since: <Day at={partner.createdAt} />,
              }}
            />
          </Panel>
          <TablePanel
            title="Accounts"
            hint="The people who manage its centers."
            empty={
              <Empty small title="No accounts yet">
                The invited administrator has not accepted.
              </Empty>
            }
            linked
            rows={partner.accounts}
            columns={[
              { name: 'Person', text: ({ name }) => name, href: (person) => `/platform/users/${person.id}` },
              { name: 'Email', cell: ({ email }) => email },
              { name: 'Role', cell: ({ role }) => roleNames().one(role) },
              { name: 'Since', right: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
            ]}
          />
          <TablePanel
            title="Centers"
            actions={
              <TextLink to="/platform/centers" search={{ partner: partner.id }}>
                Show {count(partner.centerCount, 'center')}
              </TextLink>
            }
            linked
            rows={allCenters.edges.map(({ node }) => node)}
            columns={[
              {
                name: 'Center',
                text: ({ name }) => name,
                href: (center) => `/platform/centers/${center.id}`,
              },
              { name: 'Address', wideOnly: true, cell: ({ centerDomain }) => centerDomain },
              { name: 'Vertical', wideOnly: true, cell: ({ vertical }) => verticalLabels[vertical] },
              centerStatus,
              { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}
