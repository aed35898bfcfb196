import { Box, Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTestPipe } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { discardDraft, useDraft } from '../../browser/use-draft.ts';
import type { Json } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { CreateWorkflow, OneWorkflow, UpdateWorkflow, Vocabulary } from './definitions.ts';
import { type Draft, definitionOf, draftOf, emptyDraft, sameDefinition } from './draft.ts';
import { DryRunDialog } from './dry-run.tsx';
import { Parameters } from './parameters.tsx';
import { ELSEWHERE } from './problems.ts';
import { SchedulePicker } from './schedule-picker.tsx';
import { StepList } from './step-list.tsx';
import { useCheck } from './use-check.ts';
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
          <Editor
            key={id}
            id={id}
            start={draftOf(workflow, workflow.versions.edges[0]!.node)}
            version={workflow.version}
          />
        ) : (
          <Missing />
        )
      }
    </Loaded>
  );
}

interface EditorProps {
  id: string | null;
  start: Draft;
  /** The version that `start` is. */
  version?: number;
}

function Editor({ id, start, version = 0 }: EditorProps) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const [opened] = useState(start);
  const name = `workflow ${id ?? 'new'}`;
  const [{ draft, base }, setState, clear, restored] = useDraft(name, { draft: start, base: version });
  const change = (changes: Partial<Draft>) =>
    setState((before) => ({ ...before, draft: { ...before.draft, ...changes } }));
  const definition = definitionOf(draft);
  const isChanged = !sameDefinition(definition as Json, definitionOf(opened) as Json);
  const unsaved = useUnsavedChanges(isChanged, () => discardDraft(name));
  const check = useCheck(draft, definition);
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
    discardDraft(name);
    void navigate({ to: '/c/$center/workflows/$id', params: { center, id: saved } });
  };
  const { shown, onLeave } = check;
  const bench = { draft, shown, onLeave, events, names: vocabulary?.workflowNames, change };
  return (
    <Page
      title={id ? `Edit ${opened.name}` : 'New workflow'}
      intro="A field is checked when you leave it. Runs in progress keep their version."
      back={<BackLink to="/c/$center/workflows" params={{ center }} label="Workflows" />}
    >
      {unsaved.question}
      <RestoredDraft shown={restored} onDiscard={clear}>
        {base !== version && `It is based on version ${base}; the current version is ${version}.`}
      </RestoredDraft>
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
                  error={shown.get('name')}
                  onBlur={() => onLeave('name')}
                  onChange={({ currentTarget }) => change({ name: currentTarget.value })}
                />
                <Textarea
                  label="Description"
                  autosize
                  value={draft.description}
                  error={shown.get('description')}
                  onBlur={() => onLeave('description')}
                  onChange={({ currentTarget }) => change({ description: currentTarget.value })}
                />
                <Trigger
                  draft={draft}
                  faults={shown}
                  events={events}
                  nextRuns={check.nextRuns}
                  onLeave={onLeave}
                  onChange={change}
                />
              </Stack>
            </Panel>
          </div>
          {draft.type === 'MANUAL' && (
            <Box onBlur={() => onLeave('parametersSchema')}>
              <Parameters
                parameters={draft.parameters}
                fault={shown.get('parametersSchema')}
                onChange={(parameters) => change({ parameters })}
              />
            </Box>
          )}
          <Panel title="Save">
            <Stack>
              <FailureNote failure={create.failure ?? update.failure} />
              {shown.size > 0 && (
                <p className={classes.small} role="status">
                  {summaryOf(shown)}
                </p>
              )}
              <Group>
                <Button loading={create.busy || update.busy} onClick={() => check.isReady() && void save()}>
                  {id ? 'Save as new version' : 'Save workflow'}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconTestPipe size={16} />}
                  onClick={() => check.isReady() && trial.open()}
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

/** Problems without a place are told in full, the others are counted. */
function summaryOf(shown: ReadonlyMap<string, string>): string {
  const elsewhere = shown.get(ELSEWHERE);
  const marked = shown.size - (elsewhere === undefined ? 0 : 1);
  return [
    ...(marked > 0 ? [`${count(marked, 'problem')} to fix, marked in red.`] : []),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ].join(' ');
}

interface TriggerProps {
  draft: Draft;
  faults: ReadonlyMap<string, string>;
  events: string[];
  nextRuns: readonly string[];
  onLeave: (...slots: string[]) => void;
  onChange: (changes: Partial<Draft>) => void;
}

/** What starts the workflow. */
function Trigger({ draft, faults, events, nextRuns, onLeave, onChange }: TriggerProps) {
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
        <Box onBlur={() => onLeave('cron', 'timezone')}>
          <SchedulePicker draft={draft} faults={faults} nextRuns={nextRuns} onChange={onChange} />
        </Box>
      )}
      {draft.type === 'EVENT' && (
        <Select
          label="Event"
          searchable
          data={['*', ...events]}
          value={draft.eventPattern || null}
          error={faults.get('eventPattern')}
          onBlur={() => onLeave('eventPattern')}
          onChange={(value) => onChange({ eventPattern: value ?? '' })}
        />
      )}
    </>
  );
}
