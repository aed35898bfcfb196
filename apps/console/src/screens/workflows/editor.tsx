import { Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconTestPipe } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Json } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { faultMessage } from '../../text/faults.ts';
import { count } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { CheckWorkflow, CreateWorkflow, OneWorkflow, UpdateWorkflow, Vocabulary } from './definitions.ts';
import { type Draft, definitionOf, draftOf, emptyDraft, sameDefinition } from './draft.ts';
import { DryRunDialog } from './dry-run.tsx';
import { Parameters } from './parameters.tsx';
import { SchedulePicker } from './schedule-picker.tsx';
import { StepList } from './step-list.tsx';
import classes from './workflows.module.css';

const editRoute = getRouteApi('/inside/c/$center/workflows/$id/edit');

export function NewWorkflowScreen() {
  const [start] = useState(emptyDraft);
  return <Editor id={null} start={start} />;
}

export function EditWorkflowScreen() {
  const { id } = editRoute.useParams();
  const read = useRead(OneWorkflow, { id });
  return (
    <Loaded of={read} page="Workflow">
      {({ workflow }) =>
        // The draft stays when the workflow is read again.
        workflow ? (
          <Editor key={id} id={id} start={draftOf(workflow, workflow.versions.edges[0]!.node)} />
        ) : (
          <Missing />
        )
      }
    </Loaded>
  );
}

function Editor({ id, start }: { id: string | null; start: Draft }) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const [opened] = useState(start);
  const [draft, setDraft] = useState(start);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const definition = definitionOf(draft);
  const unsaved = useUnsavedChanges(!sameDefinition(definition as Json, definitionOf(opened) as Json));
  const [asked] = useDebouncedValue(JSON.stringify(definition), 350);
  const check = useRead(CheckWorkflow, { definition: JSON.parse(asked) as Json });
  const isChecked = asked === JSON.stringify(definition) && !check.loading;
  const faults = new Map(
    (check.data?.checkWorkflow.faults ?? []).map(({ path, message }) => [path, faultMessage(message)]),
  );
  const vocabulary = useRead(Vocabulary, {}).data;
  const events = vocabulary?.eventCatalogue.map(({ type }) => type) ?? [];
  const create = useAction(CreateWorkflow, { quiet: true, done: 'Saved.' });
  const update = useAction(UpdateWorkflow, { quiet: true, done: 'Saved as a new version.' });
  const [isTrying, trial] = useDisclosure();
  const save = async () => {
    const saved = id
      ? (await update.run({ input: { id, ...definition } }))?.updateWorkflow.id
      : (await create.run({ input: definition }))?.createWorkflow.id;
    if (!saved) return;
    unsaved.release();
    void navigate({ to: '/c/$center/workflows/$id', params: { center, id: saved } });
  };
  const bench = { draft, faults, events, names: vocabulary?.workflowNames, change };
  return (
    <Page
      title={id ? `Edit ${opened.name}` : 'New workflow'}
      intro="Validated as you type. Runs in progress keep their version."
      back={<BackLink to="/c/$center/workflows" params={{ center }} label="Workflows" />}
    >
      {unsaved.question}
      <div className={classes.columns}>
        <StepList
          steps={draft.steps}
          path="steps"
          addLabel="Add step"
          bench={bench}
          onChange={(steps) => change({ steps })}
        />
        <div className={classes.side}>
          <div className={classes.first}>
            <Panel title="Workflow">
              <Stack>
                <TextInput
                  label="Name"
                  value={draft.name}
                  error={draft.name ? faults.get('name') : null}
                  onChange={({ currentTarget }) => change({ name: currentTarget.value })}
                />
                <Textarea
                  label="Description"
                  autosize
                  value={draft.description}
                  onChange={({ currentTarget }) => change({ description: currentTarget.value })}
                />
                <Trigger
                  draft={draft}
                  faults={faults}
                  events={events}
                  nextRuns={check.data?.checkWorkflow.nextRuns ?? []}
                  onChange={change}
                />
              </Stack>
            </Panel>
          </div>
          {draft.type === 'MANUAL' && (
            <Parameters
              parameters={draft.parameters}
              fault={[...faults].find(([path]) => path.startsWith('parametersSchema'))?.[1]}
              onChange={(parameters) => change({ parameters })}
            />
          )}
          <Panel title={faults.size === 0 ? 'Ready to save' : 'Not valid yet'}>
            <Stack>
              <FailureNote failure={create.failure ?? update.failure} />
              {faults.size > 0 && (
                <p className={classes.small} role="status">
                  {faults.get('steps') ?? `${count(faults.size, 'problem')} to fix, marked in red.`}
                </p>
              )}
              <Group>
                <Button
                  loading={create.busy || update.busy}
                  disabled={faults.size > 0 || !isChecked}
                  onClick={() => void save()}
                >
                  {id ? 'Save as new version' : 'Save workflow'}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconTestPipe size={16} />}
                  disabled={faults.size > 0 || !isChecked}
                  onClick={trial.open}
                >
                  Dry run
                </Button>
              </Group>
            </Stack>
          </Panel>
        </div>
      </div>
      <DryRunDialog
        definition={definition}
        events={vocabulary?.eventCatalogue ?? []}
        opened={isTrying}
        onClose={trial.close}
      />
    </Page>
  );
}

interface TriggerProps {
  draft: Draft;
  faults: ReadonlyMap<string, string>;
  events: string[];
  nextRuns: readonly string[];
  onChange: (changes: Partial<Draft>) => void;
}

/** What starts the workflow. */
function Trigger({ draft, faults, events, nextRuns, onChange }: TriggerProps) {
  return (
    <>
      <div>
        <p className={classes.small} style={{ margin: '0 0 6px' }}>
          Trigger
        </p>
        <SegmentedControl
          fullWidth
          aria-label="Trigger"
          value={draft.type}
          onChange={(value) => onChange({ type: value as Draft['type'] })}
          data={choicesOf({ MANUAL: 'People', SCHEDULED: 'A schedule', EVENT: 'An event' })}
        />
      </div>
      {draft.type === 'SCHEDULED' && (
        <SchedulePicker draft={draft} faults={faults} nextRuns={nextRuns} onChange={onChange} />
      )}
      {draft.type === 'EVENT' && (
        <Select
          label="Event"
          searchable
          data={['*', ...events]}
          value={draft.eventPattern || null}
          error={draft.eventPattern ? faults.get('eventPattern') : null}
          onChange={(value) => onChange({ eventPattern: value ?? '' })}
        />
      )}
    </>
  );
}
