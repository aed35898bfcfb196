import { normalText } from '@countersign/proof-kit/approver-id';
import { Button, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTag } from '@tabler/icons-react';
import { useAction } from '../../graphql/use-action.ts';
import type { Read } from '../../graphql/use-read.ts';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { RowMenuButton } from '../../ui/row-menu.tsx';
import { Empty } from '../../ui/states.tsx';
import { actionsColumn } from '../../ui/table.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { type ActionTypeWords, SaveActionTypes } from './action-type.ts';
import { ActionTypeForm } from './action-type-form.tsx';

const MAX_TYPES = 100;
/** A type without words: the dialog makes a new one. */
const NEW: ActionTypeWords = { type: '', label: '', members: [] };

/** How requests are shown to the people who decide: names for actions, names and units for their arguments. */
export function ActionTypes({ of: read, types }: { of: Read<unknown>; types: readonly ActionTypeWords[] }) {
  const dialog = useRowDialog<ActionTypeWords>();
  const remove = useAction(SaveActionTypes, { done: 'Saved.' });
  const askRemove = ({ type, label }: ActionTypeWords) =>
    modals.openConfirmModal({
      title: `Remove “${label}”?`,
      children: 'Requests of this type are shown with the names that the agent uses. Nothing sealed changes.',
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => {
        const actionTypes = types.filter((each) => normalText(each.type) !== normalText(type));
        void remove.run({ input: { actionTypes } }).then(read.reload);
      },
    });
  return (
    <>
      <TablePanel
        title="Action types"
        hint="Names for the actions of your agents, and names and units for their arguments. People who decide see them beside the exact values."
        actions={
          <Button
            size="xs"
            variant="default"
            disabled={types.length >= MAX_TYPES}
            onClick={() => dialog.show(NEW)}
          >
            Describe an action type
          </Button>
        }
        rows={[...types]}
        keyOf={({ type }) => type}
        empty={
          <Empty small icon={<IconTag />} title="No action type yet">
            Requests are shown with the names that the agents use.
          </Empty>
        }
        menu={(row) => (
          <>
            <Menu.Item onClick={() => dialog.show(row)}>Edit</Menu.Item>
            <Menu.Item color="var(--cs-bad)" onClick={() => askRemove(row)}>
              Remove
            </Menu.Item>
          </>
        )}
        columns={[
          {
            name: 'Action',
            text: ({ label }) => label,
            cell: ({ type, label }) => (
              <>
                <strong>{label}</strong>
                <span className="subline mono">{type}</span>
              </>
            ),
          },
          {
            name: 'Arguments',
            cell: ({ members }) =>
              members.map(({ label, unit }) => (unit ? `${label} (${unit})` : label)).join(', ') || 'None',
          },
          actionsColumn<ActionTypeWords>(({ type, label }) => (
            <RowMenuButton row={type} label={`Actions for ${label}`} />
          )),
        ]}
      />
      <RowDialog
        of={dialog}
        title={({ type }) => (type ? 'Edit an action type' : 'Describe an action type')}
        size="lg"
        onDone={read.reload}
      >
        {(row, onDone) => <ActionTypeForm of={row} types={types} onDone={onDone} />}
      </RowDialog>
    </>
  );
}
