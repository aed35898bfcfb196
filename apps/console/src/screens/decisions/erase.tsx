import { Button, Checkbox, Modal, Radio, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEraser } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { erasable } from '../../text/labels.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import type { Decision } from './one-decision.ts';

const EraseDecision = graphql(`
  mutation EraseDecision($input: EraseDecisionInput!) { eraseDecision(input: $input) { id } }
`);

/** Permanently deletes personal data of a decision. The proof remains and lists the erased values. */
export function Erase({
  decision: { id, status, erased },
  onDone,
}: {
  decision: Decision;
  onDone: () => void;
}) {
  const [opened, dialog] = useDisclosure();
  const { close } = dialog;
  const [scope, setScope] = useState('');
  const [fields, setFields] = useState<string[]>([]);
  const [reason, setReason] = useState('');
  const act = useAction(EraseDecision, { quiet: true, done: 'Erased. The chain stays valid.' });
  // Nothing is preselected, even after the dialog was closed halfway.
  const open = () => {
    setScope('');
    setFields([]);
    setReason('');
    act.clear();
    dialog.open();
  };
  const gone = new Set(erased.map(({ path }) => path));
  const erase = async () => {
    const input = { eventId: id, reason: reason.trim(), ...(scope === 'some' && { fields }) };
    if (!(await act.run({ input }))) return;
    close();
    onDone();
  };
  return (
    <>
      <Button variant="default" leftSection={<IconEraser size={16} />} onClick={open}>
        Erase
      </Button>
      <Modal opened={opened} onClose={close} size="lg" title="Erase data of this decision">
        <ActionForm
          act={act}
          verb="Erase permanently"
          button={{ color: 'red' }}
          disabled={!reason.trim() || !scope || (scope === 'some' && fields.length === 0)}
          onSubmit={() => void erase()}
        >
          <p style={{ margin: 0, fontSize: 14.5 }}>
            The values are deleted here with every copy of them, and cannot be brought back. That they were
            there, and that they were erased, stays provable.
            {(status === 'recorded' || status === 'approved') && ' It is pending and will be rejected.'}
          </p>
          <Radio.Group label="What to erase" value={scope} onChange={setScope}>
            <Stack gap={8} mt={6}>
              <Radio value="all" label="Everything" />
              <Radio value="some" label="Selected values" />
            </Stack>
          </Radio.Group>
          {scope === 'some' && (
            <Checkbox.Group label="Values" value={fields} onChange={setFields}>
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
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </ActionForm>
      </Modal>
    </>
  );
}
