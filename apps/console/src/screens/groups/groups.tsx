import { Button, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconUsersGroup } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useAction } from '../../graphql/use-action.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCommand } from '../../ui/commands.ts';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { menuColumn } from '../../ui/table.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { DeleteGroup, type Group, GroupPages, SetGroupSource } from './group.ts';
import { DirectoryMembers, GroupMembers, GroupName } from './group-forms.tsx';

const route = getRouteApi('/inside/c/$center/groups');

/** The directory keeps its members; the console shows them. */
const isOfDirectory = ({ source }: Pick<Group, 'source'>) => source === 'SCIM';

/** People who can fill the same seats of a quorum. */
export default function GroupsScreen() {
  const read = useList(GroupPages, route.useSearch(), () => ({}));
  useAuditEvents('any', read.reload);
  const naming = useRowDialog<{ id: string | null; name: string }>();
  const choosing = useRowDialog<Group>();
  const remove = useAction(DeleteGroup, { done: 'The group was deleted.' });
  const askDelete = ({ id, name }: Group) =>
    modals.openConfirmModal({
      title: `Delete “${name}”?`,
      children: 'Its members stay members of the center. A group that a policy names cannot be deleted.',
      labels: { confirm: 'Delete', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void remove.run({ id }).then(read.reload),
    });
  const handOver = useAction(SetGroupSource, { done: 'The group was handed over.' });
  const askHandOver = ({ id, name, source }: Group) => {
    const [to, consequence] = isOfDirectory({ source })
      ? (['CONSOLE', 'You choose its members here. The directory no longer sees or changes it.'] as const)
      : ([
          'SCIM',
          'The directory can then rename it, change its members and delete it. Here it is read-only.',
        ] as const);
    modals.openConfirmModal({
      title:
        to === 'SCIM' ? `Hand “${name}” over to the directory?` : `Take “${name}” over from the directory?`,
      children: `${consequence} Its members stay the same for now.`,
      labels: { confirm: to === 'SCIM' ? 'Hand over' : 'Take over', cancel: 'Cancel' },
      onConfirm: () => void handOver.run({ input: { id, source: to } }).then(read.reload),
    });
  };
  const menu = (group: Group) =>
    isOfDirectory(group) ? (
      <>
        <Menu.Item onClick={() => choosing.show(group)}>Show members</Menu.Item>
        <Menu.Item onClick={() => askHandOver(group)}>Take over from the directory</Menu.Item>
      </>
    ) : (
      <>
        <Menu.Item onClick={() => choosing.show(group)}>Choose members</Menu.Item>
        <Menu.Item onClick={() => naming.show(group)}>Rename</Menu.Item>
        <Menu.Item onClick={() => askHandOver(group)}>Hand over to the directory</Menu.Item>
        <Menu.Item color="var(--cs-bad)" onClick={() => askDelete(group)}>
          Delete
        </Menu.Item>
      </>
    );
  const create = () => naming.show({ id: null, name: '' });
  useCommand('new-group', create);
  return (
    <Page
      title="Approval groups"
      intro="Members of a group can approve decisions that have a seat for it, whatever their role. Policies name the groups."
      actions={<NewButton onClick={create}>New group</NewButton>}
    >
      <PagedTable
        of={read}
        empty={
          <Empty
            icon={<IconUsersGroup />}
            title="No group yet"
            action={<Button onClick={create}>Create the first group</Button>}
          >
            For example Finance, or the medical board. Then ask for two of them in a policy.
          </Empty>
        }
        label="Approval groups"
        linked
        menu={menu}
        columns={[
          {
            name: 'Group',
            text: ({ name }) => name,
            cell: (group) => (
              <button type="button" className="row-button" onClick={() => choosing.show(group)}>
                <strong>{group.name}</strong>
                {isOfDirectory(group) && <span>From the directory</span>}
              </button>
            ),
          },
          {
            name: 'Members',
            cell: ({ members }) =>
              members.map(({ name }) => name).join(', ') || 'No members yet: its seats cannot be filled',
          },
          menuColumn(),
        ]}
      />
      <RowDialog
        of={naming}
        title={({ id, name }) => (id ? `Rename “${name}”` : 'New approval group')}
        onDone={read.reload}
      >
        {(group, done) => <GroupName group={group} onDone={done} />}
      </RowDialog>
      <RowDialog of={choosing} title={({ name }) => `Members of “${name}”`} onDone={read.reload}>
        {(group, done) =>
          isOfDirectory(group) ? (
            <DirectoryMembers group={group} />
          ) : (
            <GroupMembers group={group} onDone={done} />
          )
        }
      </RowDialog>
    </Page>
  );
}
