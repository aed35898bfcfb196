import { IconPlus, IconSitemap } from '@tabler/icons-react';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { useCenter, useZone } from '../../session/session-context.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { LoadedTable } from '../../ui/loaded-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { stateColumn } from '../../ui/state-pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { agoColumn, MinuteTime } from '../../ui/time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { Executions, type Workflow, Workflows } from './definitions.ts';
import { ExecutionTable, FIRST_COLUMN } from './executions.tsx';
import { startLabel, workflowState } from './start-labels.ts';
import classes from './workflows.module.css';

const LATEST = 10;

export default function WorkflowsScreen() {
  const { centerDomain: center } = useCenter();
  const zone = useZone();
  const read = useRead(Workflows, {});
  const waiting = useRead(Executions, { first: 50, status: 'AWAITING_REVIEW' });
  const latest = useRead(Executions, { first: LATEST });
  const reload = () => [read, waiting, latest].forEach((each) => void each.reload());
  useAuditEvents('workflow.executed', reload);
  useRefresh(reload);
  const reviews = waiting.data?.workflowExecutions.edges ?? [];
  return (
    <Page
      title="Workflows"
      intro="Automated workflows and pending reviews."
      actions={
        <ButtonLink to="/c/$center/workflows/new" params={{ center }} leftSection={<IconPlus size={16} />}>
          New workflow
        </ButtonLink>
      }
    >
      {reviews.length > 0 && (
        <Panel title="Waiting for review" tone="warn" flush>
          <ExecutionTable rows={reviews.map(({ node }) => node)} named />
        </Panel>
      )}
      <Panel flush>
        <LoadedTable
          of={read}
          rows={({ workflows: { edges } }) => edges.map(({ node }) => node)}
          empty={
            <Empty icon={<IconSitemap />} title="No workflows yet">
              Create one from steps such as a text, a review and a recorded decision.
            </Empty>
          }
          label="Workflows"
          linked
          exportable
          columns={[
            {
              name: 'Workflow',
              width: FIRST_COLUMN,
              text: ({ name }) => name,
              cell: ({ id, name, description }) => (
                <>
                  <TextLink to="/c/$center/workflows/$id" params={{ center, id }}>
                    <strong>{name}</strong>
                  </TextLink>
                  <span className={classes.small}>{description}</span>
                </>
              ),
            },
            { name: 'Starts', width: 22, cell: (workflow) => startLabel(workflow, zone) },
            stateColumn<Workflow>('Status', workflowState),
            agoColumn<Workflow>('Last run', ({ lastRun }) => lastRun),
            {
              name: 'Next run',
              width: 22,
              right: true,
              wideOnly: true,
              cell: ({ nextRunAt, status }) =>
                nextRunAt && status === 'ACTIVE' ? <MinuteTime at={nextRunAt} /> : '',
            },
          ]}
        />
      </Panel>
      <Panel title="Latest runs" flush>
        <Loaded of={latest} skeleton={<Lines count={4} />} small>
          {({ workflowExecutions }) => (
            <ExecutionTable rows={workflowExecutions.edges.map(({ node }) => node)} named />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
