import { Button, Checkbox, Modal, Radio, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconEraser } from '@tabler/icons-react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { erasable } from '../../text/labels.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import type { Decision } from './one-decision.ts';

const EraseDecision = graphql(`
  mutation EraseDecision($input: EraseDecisionInput!) { eraseDecision(input: $input) { id } }
`);

interface EraseProps {
  decision: Decision;
  onDone: () => void;
}

/** Permanently deletes personal data of a decision. The proof remains and lists the erased values. */
export function Erase(props: EraseProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconEraser size={16} />} onClick={open}>
        Erase
      </Button>
      <Modal opened={opened} onClose={close} size="lg" title="Erase data of this decision">
        <EraseForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

/** Mounted with the dialog: nothing is preselected, even after the dialog was closed halfway. */
function EraseForm({
  decision: { id, status, erased },
  onDone,
  onClose,
}: EraseProps & { onClose: () => void }) {
  const act = useAction(EraseDecision, { quiet: true, done: 'Erased. The chain stays valid.' });
  const form = useForm({ initialValues: { scope: '', fields: [] as string[], reason: '' } });
  const { scope, fields, reason } = form.values;
  const gone = new Set(erased.map(({ path }) => path));
  const erase = async () => {
    const input = { eventId: id, reason: reason.trim(), ...(scope === 'some' && { fields }) };
    if (!(await act.run({ input }))) return;
    onClose();
    onDone();
  };
  return (
    <ActionForm
      act={act}
      verb="Erase permanently"
      button={{ color: 'red' }}
      disabled={!reason.trim() || !scope || (scope === 'some' && fields.length === 0)}
      onSubmit={() => void erase()}
    >
      <p style={{ margin: 0, fontSize: 14.5 }}>
        The values are deleted here with every copy of them, and cannot be brought back. That they were there,
        and that they were erased, stays provable.
        {(status === 'recorded' || status === 'approved') && ' It is pending and will be rejected.'}
      </p>
      <Radio.Group label="What to erase" {...form.getInputProps('scope')}>
        <Stack gap={8} mt={6}>
          <Radio value="all" label="Everything" />
          <Radio value="some" label="Selected values" />
        </Stack>
      </Radio.Group>
      {scope === 'some' && (
        <Checkbox.Group label="Values" {...form.getInputProps('fields')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing={8} mt={6}>
            {erasable.map(([path, label]) => (
              <Checkbox key={path} value={path} label={label} disabled={gone.has(path)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
      <Textarea
        label="Why"
        description="Stored and shown with the proof. Do not include the erased data."
        required
        autosize
        {...form.getInputProps('reason')}
      />
    </ActionForm>
  );
}
