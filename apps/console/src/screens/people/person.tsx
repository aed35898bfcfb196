import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { auditSummary } from '../../text/audit.ts';
import { auditTitle } from '../../text/audit-titles.ts';
import { fromWhere, when } from '../../ui/audit-columns.tsx';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty, Loaded, Missing } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { MemberAbsences } from './member-absences.tsx';
import { MemberFields } from './members.ts';
import { SignInPanel } from './sign-in-panel.tsx';

const OneMember = graphql(
  `query OneMember($id: ID!) { node(id: $id) { ... on Membership { ...MemberFields endedAt } } }`,
  [MemberFields],
);
const Doings = graphql(`
  query Doings($filter: AuditFilter) {
    auditEntries(first: 10, filter: $filter) { edges { node { id type detail mentions { id name } actorEmail actorId ip occurredAt } } }
  }
`);

const route = getRouteApi('/inside/c/$center/people/$id');

/** One member: contact, role, how they joined, and recent actions. */
export default function PersonScreen() {
  const { center, id } = route.useParams();
  const roles = useRoleNames();
  const read = useRead(OneMember, { id });
  useAuditEvents('membership.moved', read.reload);
  return (
    <Loaded of={read} page="Person" skeleton={<PanelsSkeleton lines={[5, 4]} />}>
      {({ node }) => {
        if (!node || !('role' in node)) return <Missing />;
        const { name, email, phone, role, pendingRole, status, specialties, invitation } = node;
        const expiresAt = invitation?.expiresAt;
        return (
          <Page
            title={name || email || 'Person'}
            badge={<MembershipState status={status} />}
            back={<BackLink to="/c/$center/people" params={{ center }} label="People" />}
          >
            <Panel title="Membership">
              <Facts
                wide
                of={{
                  Email: email,
                  Phone: phone,
                  Role: roles.one(role),
                  'Asked to become': pendingRole && roles.one(pendingRole),
                  Specialties: specialties.join(', '),
                  Invited: <Day at={node.invitedAt} />,
                  'Active since': node.activatedAt && <Day at={node.activatedAt} />,
                  Ended: node.endedAt && <Day at={node.endedAt} />,
                  'Invitation works until': status === 'INVITED' && expiresAt && <Day at={expiresAt} />,
                }}
              />
            </Panel>
            {node.actorId && <SignInPanel member={node} />}
            {status === 'ACTIVE' && <MemberAbsences membershipId={node.id} />}
            {node.actorId && <Activity actorId={node.actorId} center={center} />}
          </Page>
        );
      }}
    </Loaded>
  );
}

function Activity({ actorId, center }: { actorId: string; center: string }) {
  const roles = useRoleNames();
  const times = useTimes();
  const read = useRead(Doings, { filter: { actorId } });
  useAuditEvents('any', read.reload);
  return (
    <TablePanel
      title="Recent activity"
      actions={
        <TextLink to="/c/$center/audit" params={{ center }} search={{ person: actorId }}>
          Show in the audit log
        </TextLink>
      }
      of={read}
      rows={read.data?.auditEntries.edges.map(({ node }) => node)}
      lines={4}
      empty={<Empty small title="Nothing yet" />}
      columns={[
        {
          name: 'What',
          text: auditTitle,
          below: (entry) => auditSummary(entry, { roles, times }),
        },
        fromWhere,
        when,
      ]}
    />
  );
}
