import { Button, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft, IconPlus } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { graphql, type Json, type VariablesOf } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { faultWords } from '../../text/faults.ts';
import { count } from '../../text/labels.ts';
import { toTheMinute } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { OneWorkflow, type Parameter, parametersIn, type StepDraft, stepsIn } from './definitions.ts';
import { kinds } from './kinds.ts';
import { Parameters, schemaOf } from './parameters.tsx';
import { StepCard } from './step-card.tsx';
import classes from './workflows.module.css';

const Check = graphql(`
  query CheckWorkflow($definition: JSON!) {
    checkWorkflow(definition: $definition) { faults { path message } nextRuns }
  }
`);
const EventTypes = graphql(`query EventTypes { eventCatalogue { type } }`);
const Create = graphql(`
  mutation CreateWorkflow($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }
`);
const Update = graphql(`
  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { id version } }
`);

type Input = VariablesOf<typeof Create>['input'];

interface Draft {
  name: string;
  description: string;
  type: Input['type'];
  cron: string;
  timezone: string;
  eventPattern: string;
  steps: { key: number; step: StepDraft }[];
  parameters: Parameter[];
}

const editRoute = getRouteApi('/inside/c/$center/workflows/$id/edit');

export function NewWorkflowScreen() {
  return <Editor id={null} start={emptyDraft} />;
}

export function EditWorkflowScreen() {
  const { id } = editRoute.useParams();
  const read = useRead(OneWorkflow, { id });
  return (
    <Loaded of={read} page="Workflow">
      {({ workflow }) => {
        if (!workflow) return <Missing />;
        const { steps, parametersSchema } = workflow.versions.edges[0]!.node;
        const start: Draft = {
          name: workflow.name,
          description: workflow.description,
          type: workflow.type,
          cron: workflow.cron ?? emptyDraft.cron,
          timezone: workflow.timezone ?? '',
          eventPattern: workflow.eventPattern ?? '',
          steps: stepsIn(steps).map((step, key) => ({ key, step })),
          parameters: parametersIn(parametersSchema),
        };
        // Unsaved input stays, even when the workflow is read again.
        return <Editor key={id} id={id} start={start} />;
      }}
    </Loaded>
  );
}

const emptyDraft: Draft = {
  name: '',
  description: '',
  type: 'MANUAL',
  cron: '0 8 * * 1',
  timezone: '',
  eventPattern: '',
  steps: [{ key: 0, step: { name: 'text', kind: 'template', text: '' } }],
  parameters: [],
};

function definitionOf(draft: Draft): Input {
  const { name, description, type, cron, timezone, eventPattern, steps, parameters } = draft;
  return {
    name,
    description,
    type,
    steps: steps.map(({ step }) => step),
    parametersSchema: type === 'MANUAL' ? schemaOf(parameters) : null,
    ...(type === 'SCHEDULED' && { cron, timezone: timezone || null }),
    ...(type === 'EVENT' && { eventPattern }),
  };
}

function Editor({ id, start }: { id: string | null; start: Draft }) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(start);
  const nextKey = useRef(start.steps.length);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const definition = definitionOf(draft);
  const [asked] = useDebouncedValue(JSON.stringify(definition), 350);
  const check = useRead(Check, { definition: JSON.parse(asked) as Json });
  const faults = new Map(
    (check.data?.checkWorkflow.faults ?? []).map(({ path, message }) => [path, faultWords(message)]),
  );
  const events = useRead(EventTypes, {}).data?.eventCatalogue.map(({ type }) => type) ?? [];
  const create = useAct(Create, { quiet: true, done: 'Saved.' });
  const update = useAct(Update, { quiet: true, done: 'Saved as a new version.' });
  const save = async () => {
    const saved = id
      ? (await update.run({ input: { id, ...definition } }))?.updateWorkflow.id
      : (await create.run({ input: definition }))?.createWorkflow.id;
    if (saved) void navigate({ to: '/c/$center/workflows/$id', params: { center, id: saved } });
  };
  const { steps, type } = draft;
  const nameOf = (step: StepDraft) => String(step['name'] ?? '');
  const setStep = (place: number, step: StepDraft) =>
    change({ steps: steps.map((each, at) => (at === place ? { ...each, step } : each)) });
  const move = (place: number, by: number) => {
    const next = [...steps];
    const [moved] = next.splice(place, 1);
    next.splice(place + by, 0, moved!);
    change({ steps: next });
  };
  const add = (kind: string | null) => {
    if (!kind || !kinds[kind]) return;
    const used = new Set(steps.map(({ step }) => nameOf(step)));
    let number = steps.length + 1;
    while (used.has(`step${number}`)) number++;
    const step = { name: `step${number}`, kind, ...kinds[kind].start };
    change({ steps: [...steps, { key: nextKey.current++, step }] });
  };
  return (
    <Page
      title={id ? `Edit ${start.name}` : 'New workflow'}
      intro="Validated as you type. Runs in progress keep their version."
      back={
        <TextLink to="/c/$center/workflows" params={{ center }}>
          <IconArrowLeft size={14} aria-hidden="true" /> Workflows
        </TextLink>
      }
    >
      <div className={classes.columns}>
        <div className={classes.steps}>
          {steps.map(({ key, step }, place) => (
            <StepCard
              key={key}
              step={step}
              place={place}
              of={steps.length}
              faults={faultsOf(faults, place)}
              later={steps.slice(place + 1).map((each) => nameOf(each.step))}
              events={events}
              onChange={(next) => setStep(place, next)}
              onMove={(by) => move(place, by)}
              onRemove={() => change({ steps: steps.filter((_, at) => at !== place) })}
            />
          ))}
          <Select
            aria-label="Add step"
            placeholder="Add step"
            leftSection={<IconPlus size={16} />}
            data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
            value={null}
            onChange={add}
          />
        </div>
        <div className={classes.side}>
          <Panel title="The workflow">
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
              <div>
                <p className={classes.small} style={{ margin: '0 0 6px' }}>
                  Trigger
                </p>
                <SegmentedControl
                  fullWidth
                  aria-label="Trigger"
                  value={type}
                  onChange={(value) => change({ type: value as Draft['type'] })}
                  data={[
                    { value: 'MANUAL', label: 'People' },
                    { value: 'SCHEDULED', label: 'A schedule' },
                    { value: 'EVENT', label: 'An event' },
                  ]}
                />
              </div>
              {type === 'SCHEDULED' && (
                <>
                  <TextInput
                    label="Schedule"
                    description="Minute, hour, day of month, month, day of week: 0 8 * * 1 is Mondays at eight."
                    spellCheck={false}
                    value={draft.cron}
                    error={faults.get('cron')}
                    onChange={({ currentTarget }) => change({ cron: currentTarget.value })}
                  />
                  <Select
                    label="Time zone"
                    placeholder="Same as the center"
                    searchable
                    clearable
                    limit={60}
                    data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]}
                    value={draft.timezone || null}
                    onChange={(value) => change({ timezone: value ?? '' })}
                  />
                  <div>
                    <p className={classes.small}>Next five runs, in your time zone:</p>
                    <ol className={classes.list} aria-label="Next runs">
                      {check.data?.checkWorkflow.nextRuns.map((run) => (
                        <li key={run}>{toTheMinute(run)}</li>
                      ))}
                    </ol>
                  </div>
                </>
              )}
              {type === 'EVENT' && (
                <Select
                  label="Event"
                  searchable
                  data={['*', ...events]}
                  value={draft.eventPattern || null}
                  error={draft.eventPattern ? faults.get('eventPattern') : null}
                  onChange={(value) => change({ eventPattern: value ?? '' })}
                />
              )}
            </Stack>
          </Panel>
          {type === 'MANUAL' && (
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
                  {count(faults.size, 'thing')} to put right, marked in red.
                </p>
              )}
              <Group>
                <Button
                  loading={create.busy || update.busy}
                  disabled={faults.size > 0 || check.loading}
                  onClick={() => void save()}
                >
                  {id ? 'Save as new version' : 'Save workflow'}
                </Button>
              </Group>
            </Stack>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

/** What is said about one step, by the path inside it. */
function faultsOf(faults: Map<string, string>, place: number): Map<string, string> {
  const own = `steps.${place}`;
  return new Map(
    [...faults].flatMap(([path, message]) =>
      path === own || path.startsWith(`${own}.`) ? [[path.slice(own.length + 1), message]] : [],
    ),
  );
}
