import { Menu, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import type { AnyCenter } from './all-centers.ts';

const Suspend = graphql(`
  mutation SuspendCenter($input: CenterMoveInput!) { suspendCenter(input: $input) { id status } }
`);
const Reactivate = graphql(`
  mutation ReactivateCenter($input: CenterMoveInput!) { reactivateCenter(input: $input) { id status } }
`);
const End = graphql(
  `mutation EndCenter($input: CenterMoveInput!) { endCenter(input: $input) { id status } }`,
);

interface CenterItemsProps {
  center: AnyCenter;
  onEnd: () => void;
  onDone: () => void;
}

/** Suspends, reactivates or closes a center. */
export function CenterItems({ center: { id, name, status }, onEnd, onDone }: CenterItemsProps) {
  const suspend = useAction(Suspend, { done: 'Suspended.' });
  const reactivate = useAction(Reactivate, { done: 'Open again.' });
  const input = { id: String(id) };
  const askToSuspend = () =>
    modals.openConfirmModal({
      title: `Suspend ${name}?`,
      children: 'Members lose access and API keys stop working until you reactivate it. No data is lost.',
      labels: { confirm: 'Suspend', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => void suspend.run({ input }).then(onDone),
    });
  return (
    <>
      {status === 'ACTIVE' ? (
        <Menu.Item onClick={askToSuspend}>Suspend</Menu.Item>
      ) : (
        <Menu.Item onClick={() => void reactivate.run({ input }).then(onDone)}>Reactivate</Menu.Item>
      )}
      <Menu.Item color="var(--cs-bad)" onClick={onEnd}>
        Close permanently
      </Menu.Item>
    </>
  );
}

interface EndFormProps {
  center: AnyCenter;
  onDone: () => void;
}

export function EndForm({ center: { id, centerDomain }, onDone }: EndFormProps) {
  const action = useActionForm(End, {
    done: 'Ended.',
    initialValues: { typed: '' },
    input: () => ({ id: String(id) }),
    onDone,
  });
  return (
    <ActionForm
      {...action}
      verb="Close the center"
      button={{ color: 'red' }}
      disabled={action.form.values.typed !== centerDomain}
    >
      <p style={{ margin: 0 }}>
        All memberships end, and the center cannot be reactivated. Records and proofs are kept.
      </p>
      <TextInput label={`Type ${centerDomain} to go on`} data-autofocus {...action.field('typed')} />
    </ActionForm>
  );
}
