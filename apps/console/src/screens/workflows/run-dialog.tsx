import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { type Parameter, RunWorkflow } from './definitions.ts';
import { ParameterFields, startOf } from './parameter-fields.tsx';

interface RunDialogProps {
  id: string;
  name: string;
  parameters: Parameter[];
  opened: boolean;
  onClose: () => void;
  onStarted: (executionId: string) => void;
}

/** Starts a workflow with its parameters. */
export function RunDialog({ id, name, parameters, opened, onClose, onStarted }: RunDialogProps) {
  const [given, setGiven] = useState(() => startOf(parameters));
  const act = useAction(RunWorkflow, { quiet: true });
  const run = async () => {
    const done = await act.run({ input: { id, parameters: given } });
    if (done) onStarted(done.executeWorkflow.id);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Run ${name}`}>
      <ActionForm act={act} verb="Run it" onSubmit={() => void run()}>
        {parameters.length === 0 && <p style={{ margin: 0 }}>No parameters needed.</p>}
        <ParameterFields parameters={parameters} given={given} onChange={setGiven} />
      </ActionForm>
    </Modal>
  );
}
