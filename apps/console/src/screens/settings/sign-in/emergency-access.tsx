import { Button } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { useAction } from '../../../graphql/use-action.ts';
import { useRead } from '../../../graphql/use-read.ts';
import { useAuditEvents } from '../../../session/live-center.tsx';
import { TablePanel } from '../../../ui/loaded-table.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Empty } from '../../../ui/states.tsx';
import { actionsColumn } from '../../../ui/table.tsx';

const Administrators = graphql(`
  query Administrators {
    members(first: 100, filter: { role: ADMIN, status: ACTIVE }) {
      edges { node { id name email emergencyAccess } }
    }
  }
`);
const SetEmergencyAccess = graphql(`
  mutation SetEmergencyAccess($input: SetEmergencyAccessInput!) {
    setEmergencyAccess(input: $input) { id emergencyAccess }
  }
`);

type Administrator = ResultOf<typeof Administrators>['members']['edges'][number]['node'];

/** Administrators who get in with a password or passkey while the provider is required. */
export function EmergencyAccess() {
  const read = useRead(Administrators, {});
  useAuditEvents('membership.moved', read.reload);
  const set = useAction(SetEmergencyAccess, { done: 'Saved.' });
  const change = ({ id, emergencyAccess }: Administrator) =>
    void set.run({ input: { membershipId: id, enabled: !emergencyAccess } }).then(read.reload);
  return (
    <TablePanel
      title="Emergency access"
      hint="These administrators can still sign in with a password or passkey while company sign-in is required, for example when the provider fails. Each of their sign-ins is mailed to all administrators."
      of={read}
      rows={read.data?.members.edges.map(({ node }) => node)}
      lines={2}
      empty={<Empty small icon={<IconLifebuoy />} title="No administrator" />}
      columns={[
        { name: 'Administrator', text: ({ name, email }) => name || email, below: ({ email }) => email },
        {
          name: 'Emergency access',
          cell: ({ emergencyAccess }) => (emergencyAccess ? <Pill tone="info">Marked</Pill> : 'No'),
        },
        actionsColumn<Administrator>((row) => (
          <Button size="compact-sm" variant="default" disabled={set.busy} onClick={() => change(row)}>
            {row.emergencyAccess ? 'Remove' : 'Mark'}
            <span className="visually-hidden">
              {' '}
              {row.name}: {row.emergencyAccess ? 'ends emergency access' : 'gives emergency access'}
            </span>
          </Button>
        )),
      ]}
    />
  );
}
