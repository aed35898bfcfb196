import { Button, Menu, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconDots, IconPencil, IconPlayerPlay, IconTestPipe } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { type Place, usePages } from '../../graphql/use-pages.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useZone } from '../../session/session-context.ts';
import { Facts } from '../../ui/facts.tsx';
import { BackLink, ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Lines, Loaded, Missing } from '../../ui/states.tsx';
import { Day, MinuteTime } from '../../ui/time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import {
  DeleteWorkflow,
  Executions,
  OneWorkflow,
  PauseWorkflow,
  parametersIn,
  ResumeWorkflow,
  Vocabulary,
  type WholeWorkflow,
} from './definitions.ts';
import { definitionOf, draftOf } from './draft.ts';
import { DryRunDialog } from './dry-run.tsx';
import { ExecutionTable } from './executions.tsx';
import { RunDialog } from './run-dialog.tsx';
import { startLabel, workflowState } from './start-labels.ts';
import { StepsShown } from './steps-shown.tsx';
import classes from './workflows.module.css';

const route = getRouteApi('/inside/c/$center/workflows/$id');

export default function WorkflowScreen() {
  const { id } = route.useParams();
  const read = useRead(OneWorkflow, { id });
  useAuditEvents('workflow.executed', read.reload);
  return (
    <Loaded of={read} page="Workflow">
      {({ workflow }) => (workflow ? <Whole workflow={workflow} onChanged={read.reload} /> : <Missing />)}
    </Loaded>
  );
}

function Whole({ workflow, onChanged }: { workflow: WholeWorkflow; onChanged: () => void }) {
  const { center } = route.useParams();
  const [opened, { open, close }] = useDisclosure();
  const [isTrying, trial] = useDisclosure();
  const vocabulary = useRead(Vocabulary, {}, { pause: !isTrying }).data;
  const { id, name, description, status, version, type, nextRuns, versions } = workflow;
  const ofCenter = useZone();
  const zone = workflow.timezone ?? ofCenter;
  const all = versions.edges.map(({ node }) => node);
  const [shown, setShown] = useState<number | null>(null);
  const current = all.find((each) => each.version === (shown ?? version)) ?? all[0]!;
  return (
    <Page
      title={name}
      intro={description}
      zone={zone}
      back={<BackLink to="/c/$center/workflows" params={{ center }} label="Workflows" />}
      badge={<StatePill of={workflowState(workflow)} />}
      actions={
        <>
          <Button leftSection={<IconPlayerPlay size={16} />} onClick={open} disabled={status === 'PAUSED'}>
            Run now
          </Button>
          <ButtonLink
            to="/c/$center/workflows/$id/edit"
            params={{ center, id }}
            variant="default"
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </ButtonLink>
          <Button variant="default" leftSection={<IconTestPipe size={16} />} onClick={trial.open}>
            Dry run
          </Button>
          <More workflow={workflow} onChanged={onChanged} />
        </>
      }
    >
      <div className={classes.columns}>
        <Panel
          title="Steps"
          hint={
            <>
              Version {current.version}, saved <Day at={current.createdAt} />.
            </>
          }
          actions={
            all.length > 1 && (
              <SegmentedControl
                size="xs"
                aria-label="Version"
                value={String(current.version)}
                onChange={(value) => setShown(Number(value))}
                data={all
                  .slice(0, 5)
                  .map((each) => ({ value: String(each.version), label: `v${each.version}` }))}
              />
            )
          }
        >
          <StepsShown steps={current.steps} />
        </Panel>
        <div className={classes.side}>
          <Panel title="When it runs">
            <Facts of={{ Starts: startLabel(workflow, zone) }} />
            {type === 'SCHEDULED' && (
              <>
                <p className={classes.small} style={{ margin: '14px 0 8px' }}>
                  {nextRuns.length > 0 ? 'Next five runs:' : 'Paused workflows do not run.'}
                </p>
                <ol className={classes.list} aria-label="Next runs">
                  {nextRuns.map((run) => (
                    <li key={run}>
                      <MinuteTime at={run} />
                    </li>
                  ))}
                </ol>
              </>
            )}
          </Panel>
        </div>
      </div>
      <Runs workflowId={id} />
      <RunDialog
        id={id}
        name={name}
        parameters={parametersIn(all.find((each) => each.version === version)?.parametersSchema ?? null)}
        opened={opened}
        onClose={close}
      />
      {/* The dialog reads its first input from the definition and the examples, so it waits for them. */}
      {vocabulary && (
        <DryRunDialog
          key={current.version}
          definition={{
            ...definitionOf(draftOf(workflow, current)),
            parametersSchema: current.parametersSchema,
          }}
          events={vocabulary.eventCatalogue}
          opened={isTrying}
          onClose={trial.close}
        />
      )}
    </Page>
  );
}

const PAGE = 20;

function Runs({ workflowId }: { workflowId: string }) {
  const { center, id } = route.useParams();
  const { after, before } = route.useSearch();
  const navigate = useNavigate();
  const read = usePages(Executions, PAGE, { after, before }, { workflowId });
  useAuditEvents('workflow.executed', read.reload);
  useRefresh(read.reload);
  const go = (search: Place) =>
    void navigate({ to: '/c/$center/workflows/$id', params: { center, id }, search });
  return (
    <Panel title="Runs" flush>
      <Loaded of={read} skeleton={<Lines count={4} />} small>
        {({ workflowExecutions: { edges, pageInfo } }) => (
          <>
            <ExecutionTable rows={edges.map(({ node }) => node)} />
            <Pager info={pageInfo} onPage={go} onIntent={read.prepare} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function More({ workflow, onChanged }: { workflow: WholeWorkflow; onChanged: () => void }) {
  const { id, name, status } = workflow;
  const { center } = route.useParams();
  const navigate = useNavigate();
  const pause = useAction(PauseWorkflow, { done: 'Paused. Runs in progress continue.' });
  const resume = useAction(ResumeWorkflow, { done: 'Resumed.' });
  const remove = useAction(DeleteWorkflow, { done: 'Deleted. Runs and records are kept.' });
  const input = { id };
  const askToDelete = () =>
    modals.openConfirmModal({
      title: `Delete ${name}?`,
      children: 'It can no longer be started. Runs and records are kept.',
      labels: { confirm: 'Delete', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () =>
        void remove
          .run({ input })
          .then((done) => done && navigate({ to: '/c/$center/workflows', params: { center } })),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px={10} aria-label="More">
          <IconDots size={18} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {status === 'ACTIVE' ? (
          <Menu.Item onClick={() => void pause.run({ input }).then(onChanged)}>Pause</Menu.Item>
        ) : (
          <Menu.Item onClick={() => void resume.run({ input }).then(onChanged)}>Resume</Menu.Item>
        )}
        <Menu.Item color="var(--cs-bad)" onClick={askToDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
