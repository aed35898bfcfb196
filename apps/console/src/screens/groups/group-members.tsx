import { Modal, MultiSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { ActiveMembers, type Group, SetGroupMembers } from './group.ts';

interface GroupMembersProps extends DialogProps {
  of: Group | null;
}

export function GroupMembers({ of: group, opened, onClose, onDone }: GroupMembersProps) {
  const people = useRead(ActiveMembers, {}, { pause: !opened });
  const act = useAction(SetGroupMembers, { quiet: true, done: 'The members were saved.' });
  const [chosen, setChosen] = useState<string[]>([]);
  useEffect(() => {
    if (opened && group) setChosen(group.members.map(({ id }) => id));
  }, [opened, group]);
  const save = async () => {
    if (!group || !(await act.run({ input: { id: group.id, membershipIds: chosen } }))) return;
    onClose();
    onDone();
  };
  const known = new Map(group?.members.map(({ id, name }) => [id, name ?? id]));
  for (const { node } of people.data?.members.edges ?? []) {
    known.set(node.id, [node.name, node.email].filter(Boolean).join(', ') || node.id);
  }
  return (
    <Modal opened={opened} onClose={onClose} title={`Members of “${group?.name ?? ''}”`}>
      <ActionForm act={act} verb="Save the members" onSubmit={() => void save()}>
        <MultiSelect
          label="Members"
          description="Only active members of the center can be chosen."
          searchable
          data={[...known].map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
      </ActionForm>
    </Modal>
  );
}
