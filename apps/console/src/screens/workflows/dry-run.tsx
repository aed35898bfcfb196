import { Modal, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Json, ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import type { State } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { JsonText, parsedJson } from '../../ui/json.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { DryRun, parametersIn, stepsIn } from './definitions.ts';
import { allSteps, draftStep, type Input, kindOf, nameOf } from './draft.ts';
import { kindLabel } from './kinds.ts';
import { ParameterFields, startOf } from './parameter-fields.tsx';
import classes from './workflows.module.css';

type DryStep = ResultOf<typeof DryRun>['dryRunWorkflow'][number];

interface DryRunDialogProps {
  definition: Input;
  /** Example data of events, by type. */
  events: readonly { type: string; example: Json }[];
  opened: boolean;
  onClose: () => void;
}

/** Shows which steps would run with the given input, without running them. */
export function DryRunDialog({ opened, onClose, ...props }: DryRunDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Dry run" size="lg">
      <Trial {...props} />
    </Modal>
  );
}

function Trial({ definition, events }: Omit<DryRunDialogProps, 'opened' | 'onClose'>) {
  const { type, eventPattern, parametersSchema, steps } = definition;
  const parameters = parametersIn(parametersSchema ?? null);
  const [given, setGiven] = useState(() => startOf(parameters));
  const [outputs, setOutputs] = useState<Record<string, { approved: boolean; reason: null; reviewerId: '' }>>(
    {},
  );
  const [eventData, setEventData] = useState(() =>
    JSON.stringify(events.find((each) => each.type === eventPattern)?.example ?? {}, null, 2),
  );
  const [result, setResult] = useState<readonly DryStep[] | null>(null);
  const act = useAction(DryRun, { as: 'query', quiet: true });
  const isEvent = type === 'EVENT';
  const run = async () => {
    const event = isEvent ? { type: eventPattern ?? '', data: parsedJson(eventData) ?? {} } : null;
    const done = await act.run({
      definition: definition as unknown as Json,
      parameters: given,
      event,
      outputs,
    });
    setResult(done?.dryRunWorkflow ?? null);
  };
  const reviews = allSteps(stepsIn(steps).map(draftStep)).filter((step) => kindOf(step) === 'human_review');
  return (
    <Stack>
      <ActionForm
        act={act}
        verb={result ? 'Try again' : 'Show what would happen'}
        button={{ variant: result ? 'default' : 'filled' }}
        onSubmit={() => void run()}
      >
        <p className={classes.small}>
          Evaluates conditions and texts with your input. No request is sent, nothing is recorded, and no one
          is asked.
        </p>
        <ParameterFields parameters={parameters} given={given} onChange={setGiven} />
        {isEvent && (
          <Textarea
            label="Data of the event"
            description="The members of data, as a JSON object."
            autosize
            maxRows={10}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={eventData}
            error={parsedJson(eventData) === undefined ? 'This is not valid JSON.' : null}
            onChange={({ currentTarget }) => setEventData(currentTarget.value)}
          />
        )}
        {reviews.map(nameOf).map((name) => (
          <div key={name}>
            <p className={classes.small}>
              Answer to review <span className="mono">{name}</span>
            </p>
            <SegmentedControl
              size="xs"
              aria-label={`Answer to ${name}`}
              data={choicesOf({ yes: 'Approve', no: 'Reject' })}
              value={outputs[name]?.approved === false ? 'no' : 'yes'}
              onChange={(answer) =>
                setOutputs({
                  ...outputs,
                  [name]: { approved: answer === 'yes', reason: null, reviewerId: '' },
                })
              }
            />
          </div>
        ))}
      </ActionForm>
      {result && <Result steps={result} />}
    </Stack>
  );
}

const states: Record<DryStep['status'], State> = {
  RUN: ['Would run', 'good'],
  SKIPPED: ['Skipped', 'quiet'],
  FAILED: ['Would fail', 'bad'],
  NOT_REACHED: ['Not reached', 'quiet'],
};

function Result({ steps }: { steps: readonly DryStep[] }) {
  return (
    <ol className={classes.list} aria-label="Result of the dry run">
      {steps.map(({ path, name, kind, status, input, output, assumed, error }) => (
        // The path says how deep in branches the step is.
        <li
          key={path}
          style={{ marginLeft: 14 * path.split('.').filter((part) => /^(yes|no)$/.test(part)).length }}
        >
          <StatePill of={states[status]} /> {kindLabel(kind)} <span className="mono">{name}</span>
          {error && <p className={classes.fault}>{error}</p>}
          {status === 'RUN' && (
            <details>
              <summary className={classes.summary}>Input and {assumed ? 'assumed output' : 'output'}</summary>
              <JsonText value={{ input, output }} label={`Input and output of ${name}`} />
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
