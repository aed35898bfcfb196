import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconHourglass,
  IconLoader,
  IconPlayerTrackNext,
  IconRefresh,
} from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { executionStates, stateOf, stepStates } from '../../text/labels.ts';
import { duration } from '../../text/time.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { JsonText } from '../../ui/json.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ExecutionState } from '../../ui/state-pill.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { Countdown, ExactTime } from '../../ui/time.tsx';
import { type Moment, Timeline } from '../../ui/timeline.tsx';
import { kindLabel } from './kinds.ts';
import { Review } from './review.tsx';
import { starterLabel } from './start-labels.ts';
import classes from './workflows.module.css';

const OneRun = graphql(`
  query OneRun($id: ID!) {
    workflowExecution(id: $id) {
      id
      status
      version
      startedBy
      parameters
      error
      startedAt
      completedAt
      dpuId
      workflow { id name }
      question { prompt roles forMe }
      steps(first: 50) {
        edges {
          node { position name kind status attempts input output error resumeAt startedAt finishedAt durationMs }
        }
      }
    }
  }
`);
const RunMoves = graphql(`
  subscription RunMoves($id: ID!) { workflowExecutionProgress(id: $id) { execution { id status } } }
`);
const Cancel = graphql(`
  mutation CancelRun($input: CancelWorkflowExecutionInput!) {
    cancelWorkflowExecution(input: $input) { id status }
  }
`);
const Retry = graphql(`
  mutation RetryRun($input: RetryWorkflowExecutionInput!) { retryWorkflowExecution(input: $input) { id } }
`);

type Run = NonNullable<ResultOf<typeof OneRun>['workflowExecution']>;
type StepRun = Run['steps']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/workflows/$id/runs/$run');
const underWay = (status: string) => status === 'RUNNING' || status === 'AWAITING_REVIEW';

/** A run, updated step by step. */
export default function RunScreen() {
  const { run: id } = route.useParams();
  const read = useRead(OneRun, { id });
  const status = read.data?.workflowExecution?.status;
  const over = status !== undefined && !underWay(status);
  useLive(RunMoves, { id }, read.reload, { pause: over, onReturn: read.reload });
  return (
    <Loaded of={read} page="Run">
      {({ workflowExecution }) =>
        workflowExecution ? <Whole run={workflowExecution} onChanged={read.reload} /> : <Missing />
      }
    </Loaded>
  );
}

function Whole({ run, onChanged }: { run: Run; onChanged: () => void }) {
  const { center } = route.useParams();
  const { me } = useSession();
  const { id, status, workflow, version, startedBy, startedAt, completedAt, dpuId, parameters } = run;
  return (
    <Page
      title={workflow.name}
      badge={<ExecutionState status={status} />}
      intro={`Started by ${starterLabel(startedBy, me.actorId).toLowerCase()}, version ${version}.`}
      back={
        <BackLink to="/c/$center/workflows/$id" params={{ center, id: workflow.id }} label={workflow.name} />
      }
      actions={<Actions run={run} onChanged={onChanged} />}
    >
      {run.question && (
        <Panel title={run.question.forMe ? 'Waiting for you' : 'Waiting for a review'} tone="warn">
          <Review executionId={id} question={run.question} onDone={onChanged} />
        </Panel>
      )}
      <div className={classes.columns}>
        <Panel title="What happened">
          <Timeline of={[...run.steps.edges.map(({ node }) => momentOf(node)), ...endOf(run)]} />
        </Panel>
        <Panel title="Run details">
          <Facts
            of={{
              Began: <ExactTime at={startedAt} />,
              Ended: completedAt && <ExactTime at={completedAt} />,
              Took: completedAt && duration(Date.parse(completedAt) - Date.parse(startedAt)),
              Record: dpuId && <Copyable value={dpuId} label="Copy record ID" />,
            }}
          />
          <p className={classes.small} style={{ margin: '16px 0 8px' }}>
            Parameters
          </p>
          <JsonText value={parameters} label="Parameters" />
        </Panel>
      </div>
    </Page>
  );
}

const looks: Record<string, Pick<Moment, 'tone' | 'icon'>> = {
  COMPLETED: { tone: 'good', icon: <IconCheck size={14} /> },
  FAILED: { tone: 'bad', icon: <IconAlertTriangle size={14} /> },
  CANCELLED: { tone: 'bad', icon: <IconAlertTriangle size={14} /> },
  WAITING: { tone: 'open', icon: <IconHourglass size={14} /> },
  SKIPPED: { tone: 'done', icon: <IconPlayerTrackNext size={14} /> },
};
const lookOf = (status: string) => looks[status] ?? { tone: 'done', icon: <IconLoader size={14} /> };

function momentOf(step: StepRun): Moment {
  const { position, name, kind, status, attempts, error, resumeAt, startedAt, durationMs, output } = step;
  return {
    key: position,
    ...lookOf(status),
    title: (
      <>
        <strong>{kindLabel(kind)}</strong> <span className="mono">{name}</span>:{' '}
        {stateOf(stepStates, status)[0].toLowerCase()}
        {durationMs !== null && `, ${duration(durationMs)}`}
        {attempts > 1 && `, tried ${attempts} times`}
      </>
    ),
    at: startedAt,
    text: (
      <>
        {error && <p className={classes.fault}>{error}</p>}
        {status === 'WAITING' && resumeAt && (
          <p className={classes.small}>
            Continues in <Countdown until={resumeAt} />
          </p>
        )}
        {output !== null && (
          <details>
            <summary>Output</summary>
            <JsonText value={output} label={`What came of ${name}`} />
          </details>
        )}
      </>
    ),
  };
}

/** The end of the run, once it is over. */
const endOf = ({ status, completedAt, error }: Run): Moment[] =>
  completedAt
    ? [
        {
          key: 'end',
          ...lookOf(status),
          title: stateOf(executionStates, status)[0],
          at: completedAt,
          text: error,
        },
      ]
    : [];

function Actions({ run: { id, status, workflow }, onChanged }: { run: Run; onChanged: () => void }) {
  const { center } = route.useParams();
  const navigate = useNavigate();
  const cancel = useAction(Cancel, { done: 'Canceled.' });
  const retry = useAction(Retry);
  const input = { id };
  const again = async () => {
    const done = await retry.run({ input });
    if (!done) return;
    const run = done.retryWorkflowExecution.id;
    void navigate({ to: '/c/$center/workflows/$id/runs/$run', params: { center, id: workflow.id, run } });
  };
  if (underWay(status)) {
    return (
      <Button
        variant="default"
        color="red"
        loading={cancel.busy}
        onClick={() => void cancel.run({ input }).then(onChanged)}
      >
        Cancel run
      </Button>
    );
  }
  if (status === 'COMPLETED') return null;
  return (
    <Button leftSection={<IconRefresh size={16} />} loading={retry.busy} onClick={() => void again()}>
      Retry from the failed step
    </Button>
  );
}
