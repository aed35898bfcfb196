import { Button, Modal, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { type Failure, failureOf } from '../../graphql/failure.ts';
import type { Json, ResultOf } from '../../graphql/graphql.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { JsonText } from '../../ui/json.tsx';
import { Pill } from '../../ui/pill.tsx';
import { DryRun, parametersIn, type StepDraft, stepsIn } from './definitions.ts';
import type { Input } from './draft.ts';
import { kindLabel } from './kinds.ts';
import { ParameterFields, startOf } from './parameter-fields.tsx';
import classes from './workflows.module.css';

type DryStep = ResultOf<typeof DryRun>['dryRunWorkflow'][number];

interface DryRunDialogProps {
  definition: Input;
  /** Example data of events, by type. */
  examples: ReadonlyMap<string, Json>;
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

function Trial({ definition, examples }: Omit<DryRunDialogProps, 'opened' | 'onClose'>) {
  const client = useClient();
  const parameters = parametersIn(definition.parametersSchema ?? null);
  const [given, setGiven] = useState(() => startOf(parameters));
  const [outputs, setOutputs] = useState<Record<string, Json>>({});
  const [eventData, setEventData] = useState(() =>
    JSON.stringify(examples.get(definition.eventPattern ?? '') ?? {}, null, 2),
  );
  const [result, setResult] = useState<readonly DryStep[] | null>(null);
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const isEvent = definition.type === 'EVENT';
  const event = isEvent ? { type: definition.eventPattern ?? '', data: parsed(eventData) ?? {} } : null;
  const run = async () => {
    setBusy(true);
    const { data, error } = await client
      .query(
        DryRun,
        { definition: definition as unknown as Json, parameters: given, event, outputs },
        { requestPolicy: 'network-only' },
      )
      .toPromise();
    setBusy(false);
    setFailure(failureOf(error));
    setResult(data?.dryRunWorkflow ?? null);
  };
  const answerable = everyStep(stepsIn(definition.steps)).filter(({ kind }) => kind === 'human_review');
  return (
    <form
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void run();
      }}
    >
      <Stack>
        <p className={classes.small}>
          Evaluates conditions and texts with your input. No request is sent, nothing is recorded, and no one
          is asked.
        </p>
        <ParameterFields parameters={parameters} given={given} onChange={setGiven} />
        {isEvent && (
          <Textarea
            label="Data of the event"
            description="As JSON"
            autosize
            maxRows={10}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={eventData}
            error={parsed(eventData) === undefined ? 'This is not valid JSON.' : null}
            onChange={({ currentTarget }) => setEventData(currentTarget.value)}
          />
        )}
        {answerable.map(({ name }) => (
          <div key={String(name)}>
            <p className={classes.small}>
              Answer to review <span className="mono">{String(name)}</span>
            </p>
            <SegmentedControl
              size="xs"
              aria-label={`Answer to ${String(name)}`}
              data={[
                { value: 'yes', label: 'Approve' },
                { value: 'no', label: 'Reject' },
              ]}
              value={isRejected(outputs[String(name)]) ? 'no' : 'yes'}
              onChange={(answer) =>
                setOutputs({
                  ...outputs,
                  [String(name)]: { approved: answer === 'yes', reason: null, reviewerId: '' },
                })
              }
            />
          </div>
        ))}
        <FailureNote failure={failure} />
        <Button type="submit" loading={busy} variant={result ? 'default' : 'filled'}>
          {result ? 'Try again' : 'Show what would happen'}
        </Button>
        {result && <Result steps={result} />}
      </Stack>
    </form>
  );
}

const states: Record<DryStep['status'], [word: string, tone: 'good' | 'bad' | 'quiet']> = {
  RUN: ['Would run', 'good'],
  SKIPPED: ['Skipped', 'quiet'],
  FAILED: ['Would fail', 'bad'],
  NOT_REACHED: ['Not reached', 'quiet'],
};

function Result({ steps }: { steps: readonly DryStep[] }) {
  return (
    <ol className={classes.list} aria-label="Result of the dry run">
      {steps.map(({ path, name, kind, status, input, output, assumed, error }) => {
        const [word, tone] = states[status];
        return (
          // The path says how deep in branches the step is.
          <li
            key={path}
            style={{ marginLeft: 14 * path.split('.').filter((part) => /^(yes|no)$/.test(part)).length }}
          >
            <Pill tone={tone}>{word}</Pill> {kindLabel(kind)} <span className="mono">{name}</span>
            {error && <p className={classes.fault}>{error}</p>}
            {status === 'RUN' && (
              <details>
                <summary className={classes.summary}>
                  Input and {assumed ? 'assumed output' : 'output'}
                </summary>
                <JsonText value={{ input, output }} label={`Input and output of ${name}`} />
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const everyStep = (steps: StepDraft[]): StepDraft[] =>
  steps.flatMap((step) => [
    step,
    ...everyStep(stepsIn(step['yes'] ?? [])),
    ...everyStep(stepsIn(step['no'] ?? [])),
  ]);

const isRejected = (output: Json | undefined) =>
  typeof output === 'object' && output !== null && !Array.isArray(output) && output['approved'] === false;

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
