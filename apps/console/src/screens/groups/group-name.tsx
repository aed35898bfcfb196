import { Modal, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { CreateGroup, type Group, RenameGroup } from './group.ts';

interface GroupNameProps extends DialogProps {
  /** The group to rename; none for a new one. */
  of: Group | null;
}

export function GroupName({ of: group, opened, onClose, onDone }: GroupNameProps) {
  const create = useAction(CreateGroup, {
    quiet: true,
    done: 'The group was created. Now choose its members.',
  });
  const rename = useAction(RenameGroup, { quiet: true, done: 'The group was renamed.' });
  const [name, setName] = useState('');
  useEffect(() => {
    if (opened) setName(group?.name ?? '');
  }, [opened, group]);
  const save = async () => {
    const input = { name: name.trim() };
    const done = group
      ? await rename.run({ input: { ...input, id: group.id } })
      : await create.run({ input });
    if (!done) return;
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={group ? `Rename “${group.name}”` : 'New approval group'}>
      <ActionForm
        act={group ? rename : create}
        verb={group ? 'Rename' : 'Create the group'}
        disabled={name.trim() === ''}
        onSubmit={() => void save()}
      >
        <TextInput
          label="Name"
          placeholder="Finance"
          required
          data-autofocus
          maxLength={128}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </ActionForm>
    </Modal>
  );
}
