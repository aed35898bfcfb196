import { printable } from '@countersign/proof-kit/printable';
import { List, Stack, Text, TextInput } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { SearchedMultiSelect, useSearchText } from '../../ui/searched-multi-select.tsx';
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
  const search = useSearchText();
  const read = useRead(ActiveMembers, { search: search.search });
  const people = read.data?.members;
  const action = useActionForm(SetGroupMembers, {
    done: 'The members were saved.',
    initialValues: { membershipIds: group.members.map(({ id }) => id) },
    input: ({ membershipIds }) => ({ id: group.id, membershipIds }),
    onDone,
  });
  return (
    <ActionForm {...action} verb="Save the members">
      <SearchedMultiSelect
        label="Members"
        description="Only active members of the center can be chosen. Type to search."
        search={search}
        found={(people?.edges ?? []).map(({ node: { id, name, email } }) => ({
          value: id,
          label: printable([name, email].filter(Boolean).join(', ') || id),
        }))}
        known={group.members.map(({ id, name }) => ({ value: id, label: printable(name ?? id) }))}
        isPartial={people?.pageInfo.hasNextPage ?? false}
        loading={read.loading}
        {...action.field('membershipIds')}
      />
    </ActionForm>
  );
}

/** The members of a group that the directory keeps. */
export const DirectoryMembers = ({ group: { members } }: { group: Group }) => (
  <Stack gap={12}>
    <Text size="sm" c="dimmed">
      Your directory keeps the members of this group. Change them there.
    </Text>
    {members.length === 0 ? (
      <Text size="sm">No members yet: its seats cannot be filled.</Text>
    ) : (
      <List size="sm">
        {members.map(({ id, name }) => (
          <List.Item key={id}>{printable(name)}</List.Item>
        ))}
      </List>
    )}
  </Stack>
);
