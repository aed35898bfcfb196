import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { Panel } from '../../ui/panel.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { Table } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';

const MyGuardians = graphql(`
  query MyGuardians { guardians { guardianId guardianName centerName since } }
`);
const End = graphql(`
  mutation EndGuardianship($input: EndGuardianshipInput!) { endGuardianship(input: $input) { guardianId } }
`);

/** The user's guardians. Hidden without one. */
export function Guardians() {
  const { me } = useSession();
  const read = useRead(MyGuardians, {});
  const end = useAction(End, { done: 'The guardianship has ended.' });
  const guardians = read.data?.guardians ?? [];
  if (guardians.length === 0) return null;
  return (
    <Panel title="Guardians" hint="They see the names of all your centers." flush>
      <Table
        label="Guardians"
        keyOf={({ guardianId, centerName }) => guardianId + centerName}
        rows={guardians}
        columns={[
          { name: 'Guardian', cell: ({ guardianName }) => <strong>{guardianName}</strong> },
          { name: 'Tied by', cell: ({ centerName }) => centerName },
          { name: 'Since', cell: ({ since }) => <Day at={since} /> },
          {
            name: 'End',
            unnamed: true,
            right: true,
            cell: ({ guardianId, guardianName }) => (
              <RowButton
                verb="End"
                about={`the guardianship of ${guardianName}`}
                onClick={() => void end.run({ input: { guardianId, childId: me.actorId } }).then(read.reload)}
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}
