import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { TablePanel } from '../../ui/loaded-table.tsx';
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
    <TablePanel
      title="Guardians"
      hint="They see the names of all your centers."
      keyOf={({ guardianId, centerName }) => guardianId + centerName}
      rows={guardians}
      columns={[
        { name: 'Guardian', text: ({ guardianName }) => guardianName },
        { name: 'Tied by', cell: ({ centerName }) => centerName },
        { name: 'Since', cell: ({ since }) => <Day at={since} /> },
        {
          name: 'End',
          unnamed: true,
          right: true,
          button: {
            about: ({ guardianName }) => `the guardianship of ${guardianName}`,
            onClick: ({ guardianId }) =>
              void end.run({ input: { guardianId, childId: me.actorId } }).then(read.reload),
          },
        },
      ]}
    />
  );
}
