import { MultiSelect, TextInput } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { ActiveMembers, CreateGroup, type Group, RenameGroup, SetGroupMembers } from './group.ts';

interface GroupNameProps {
  /** The group to rename; without an id, a new one. */
  group: { id: string | null; name: string };
  onDone: () => void;
}

export function GroupName({ group: { id, name }, onDone }: GroupNameProps) {
  const named = { initialValues: { name }, onDone };
  const create = useActionForm(CreateGroup, {
    ...named,
    done: 'The group was created. Now choose its members.',
    input: (values) => ({ name: values.name.trim() }),
  });
  const rename = useActionForm(RenameGroup, {
    ...named,
    done: 'The group was renamed.',
    input: (values) => ({ id: id ?? '', name: values.name.trim() }),
  });
  const action = id ? rename : create;
  return (
    <ActionForm
      {...action}
      verb={id ? 'Rename' : 'Create the group'}
      disabled={action.form.values.name.trim() === ''}
    >
      <TextInput
        label="Name"
        placeholder="Finance"
        required
        data-autofocus
        maxLength={128}
        {...action.field('name')}
      />
    </ActionForm>
  );
}

export function GroupMembers({ group, onDone }: { group: Group; onDone: () => void }) {
  const people = useRead(ActiveMembers, {});
  const action = useActionForm(SetGroupMembers, {
    done: 'The members were saved.',
    initialValues: { membershipIds: group.members.map(({ id }) => id) },
    input: ({ membershipIds }) => ({ id: group.id, membershipIds }),
    onDone,
  });
  const known = new Map(group.members.map(({ id, name }) => [id, name ?? id]));
  for (const { node } of people.data?.members.edges ?? []) {
    known.set(node.id, [node.name, node.email].filter(Boolean).join(', ') || node.id);
  }
  return (
    <ActionForm {...action} verb="Save the members">
      <MultiSelect
        label="Members"
        description="Only active members of the center can be chosen."
        searchable
        data={[...known].map(([value, label]) => ({ value, label }))}
        {...action.field('membershipIds')}
      />
    </ActionForm>
  );
}
