import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { useCenter } from '../../session/session-context.ts';
import { ActionForm, type DialogProps } from '../../ui/form-dialog.tsx';
import { type Parameter, RunWorkflow } from './definitions.ts';
import { ParameterFields, startOf } from './parameter-fields.tsx';

interface RunDialogProps extends Omit<DialogProps, 'onDone'> {
  id: string;
  name: string;
  parameters: Parameter[];
}

/** Starts a workflow with its parameters, and shows the run. */
export function RunDialog({ id, name, parameters, opened, onClose }: RunDialogProps) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const [given, setGiven] = useState(() => startOf(parameters));
  const act = useAction(RunWorkflow, { quiet: true });
  const start = async () => {
    const run = (await act.run({ input: { id, parameters: given } }))?.executeWorkflow.id;
    if (run) void navigate({ to: '/c/$center/workflows/$id/runs/$run', params: { center, id, run } });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Run ${name}`}>
      <ActionForm act={act} verb="Run it" onSubmit={() => void start()}>
        {parameters.length === 0 && <p style={{ margin: 0 }}>No parameters needed.</p>}
        <ParameterFields parameters={parameters} given={given} onChange={setGiven} />
      </ActionForm>
    </Modal>
  );
}
