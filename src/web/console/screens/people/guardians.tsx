import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHeartHandshake, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useHappens } from '../../session/live-center.tsx';
import { useRoleNames } from '../../session/session-context.ts';
import { onDay } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Members } from './members.ts';

const Guardianships = graphql(`
  query Guardianships { guardianships { guardianId guardianName childId childName since } }
`);
const Tie = graphql(`mutation Tie($input: GuardianshipInput!) { tieGuardian(input: $input) { childId } }`);
const Untie = graphql(
  `mutation Untie($input: GuardianshipInput!) { untieGuardian(input: $input) { childId } }`,
);

/** Who looks after whom. */
export function Guardians() {
  const read = useRead(Guardianships, {});
  const roles = useRoleNames();
  const title = `${roles.many('PARENT')} and ${roles.manyInText('CHILD')}`;
  useHappens('membership.moved', read.reload);
  const [opened, { open, close }] = useDisclosure();
  const untie = useAct(Untie, { done: 'Untied.' });
  return (
    <Panel
      title={title}
      hint={`A ${roles.oneInText('PARENT')} sees the bookings and memberships of the ${roles.manyInText('CHILD')} tied to them, and books for them if the settings allow it.`}
      flush
      actions={
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={open}>
          Add {roles.oneInText('PARENT')}
        </Button>
      }
    >
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ guardianships }) =>
          guardianships.length === 0 ? (
            <Empty small icon={<IconHeartHandshake />} title={`No ${roles.manyInText('PARENT')} yet`}>
              Both must be active members.
            </Empty>
          ) : (
            <Table
              label={title}
              keyOf={({ guardianId, childId }) => guardianId + childId}
              rows={guardianships}
              columns={[
                { name: roles.one('CHILD'), cell: ({ childName }) => <strong>{childName}</strong> },
                { name: roles.one('PARENT'), cell: ({ guardianName }) => guardianName },
                { name: 'Since', right: true, cell: ({ since }) => onDay(since) },
                {
                  name: 'Untie',
                  unnamed: true,
                  right: true,
                  cell: ({ guardianId, childId, guardianName, childName }) => (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      onClick={() => void untie.run({ input: { guardianId, childId } }).then(read.reload)}
                    >
                      Untie
                      <span className="visually-hidden">
                        {' '}
                        {guardianName} from {childName}
                      </span>
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <TieDialog opened={opened} onClose={close} onDone={read.reload} />
    </Panel>
  );
}

function TieDialog({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const roles = useRoleNames();
  const [guardianId, setGuardian] = useState<string | null>(null);
  const [childId, setChild] = useState<string | null>(null);
  const act = useAct(Tie, { quiet: true, done: 'Tied.' });
  const people = (role: 'PARENT' | 'CHILD') => ({ first: 100, filter: { role, status: 'ACTIVE' as const } });
  const parents = useRead(Members, people('PARENT'), { pause: !opened });
  const children = useRead(Members, people('CHILD'), { pause: !opened });
  const choices = (read: typeof parents) =>
    (read.data?.members.edges ?? []).flatMap(({ node: { actorId, name, email } }) =>
      actorId ? [{ value: actorId, label: email ? `${name} (${email})` : name }] : [],
    );
  const tie = async () => {
    if (!guardianId || !childId || !(await act.run({ input: { guardianId, childId } }))) return;
    setGuardian(null);
    setChild(null);
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Add ${roles.oneInText('PARENT')}`}>
      <Stack>
        <FailureNote failure={act.failure} />
        <Select
          label={roles.one('PARENT')}
          searchable
          data={choices(parents)}
          value={guardianId}
          onChange={setGuardian}
          nothingFoundMessage={`No matching ${roles.oneInText('PARENT')}`}
        />
        <Select
          label={roles.one('CHILD')}
          searchable
          data={choices(children)}
          value={childId}
          onChange={setChild}
          nothingFoundMessage={`No matching ${roles.oneInText('CHILD')}`}
        />
        <Group justify="flex-end">
          <Button loading={act.busy} disabled={!guardianId || !childId} onClick={() => void tie()}>
            Tie
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
