import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHeartHandshake, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { Day } from '../../ui/time.tsx';
import { type Person, PersonSelect } from './person-select.tsx';

const Guardianships = graphql(`
  query Guardianships { guardianships { guardianId guardianName childId childName since } }
`);
const Tie = graphql(`mutation Tie($input: GuardianshipInput!) { tieGuardian(input: $input) { childId } }`);
const Untie = graphql(
  `mutation Untie($input: GuardianshipInput!) { untieGuardian(input: $input) { childId } }`,
);

/** Guardianships of the center. */
export function Guardians() {
  const read = useRead(Guardianships, {});
  const roles = useRoleNames();
  const title = `${roles.many('PARENT')} and ${roles.manyInText('CHILD')}`;
  useAuditEvents('membership.moved', read.reload);
  const [opened, { open, close }] = useDisclosure();
  const untie = useAction(Untie, { done: 'Untied.' });
  return (
    <>
      <TablePanel
        title={title}
        hint={`A ${roles.oneInText('PARENT')} sees the bookings and memberships of the ${roles.manyInText('CHILD')} tied to them, and books for them if the settings allow it.`}
        actions={
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={open}>
            Add {roles.oneInText('PARENT')}
          </Button>
        }
        of={read}
        rows={read.data?.guardianships}
        lines={3}
        empty={
          <Empty small icon={<IconHeartHandshake />} title={`No ${roles.manyInText('PARENT')} yet`}>
            Both must be active members.
          </Empty>
        }
        exportable
        keyOf={({ guardianId, childId }) => guardianId + childId}
        columns={[
          { name: roles.one('CHILD'), text: ({ childName }) => childName },
          { name: roles.one('PARENT'), cell: ({ guardianName }) => guardianName },
          { name: 'Since', right: true, cell: ({ since }) => <Day at={since} /> },
          {
            name: 'Untie',
            unnamed: true,
            right: true,
            button: {
              about: ({ guardianName, childName }) => `${guardianName} from ${childName}`,
              onClick: ({ guardianId, childId }) =>
                void untie.run({ input: { guardianId, childId } }).then(read.reload),
            },
          },
        ]}
      />
      <TieDialog opened={opened} onClose={close} onDone={read.reload} />
    </>
  );
}

function TieDialog({ opened, onClose, onDone }: DialogProps) {
  const roles = useRoleNames();
  const [guardian, setGuardian] = useState<Person | null>(null);
  const [child, setChild] = useState<Person | null>(null);
  const act = useAction(Tie, { quiet: true, done: 'Tied.' });
  const tie = async () => {
    if (!guardian || !child) return;
    const input = { guardianId: guardian.actorId, childId: child.actorId };
    if (!(await act.run({ input }))) return;
    setGuardian(null);
    setChild(null);
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Add ${roles.oneInText('PARENT')}`}>
      <ActionForm act={act} verb="Tie" disabled={!guardian || !child} onSubmit={() => void tie()}>
        <PersonSelect
          label={roles.one('PARENT')}
          memberRole="PARENT"
          value={guardian}
          onChange={setGuardian}
        />
        <PersonSelect label={roles.one('CHILD')} memberRole="CHILD" value={child} onChange={setChild} />
      </ActionForm>
    </Modal>
  );
}
