import { IconPlayerPlay } from '@tabler/icons-react';
import { useCenter, useSession } from '../../session/session-context.ts';
import { duration } from '../../text/time.ts';
import { TextLink } from '../../ui/link.tsx';
import { executionStatus } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago, agoColumn } from '../../ui/time.tsx';
import type { ExecutionRow } from './definitions.ts';
import { starterLabel } from './start-labels.ts';
import classes from './workflows.module.css';

/** Runs, newest first. */
export function ExecutionTable({ rows, named }: { rows: ExecutionRow[]; named?: boolean }) {
  const { centerDomain: center } = useCenter();
  const { me } = useSession();
  if (rows.length === 0) {
    return (
      <Empty small icon={<IconPlayerPlay />} title="No runs yet">
        Run it now, or wait for its trigger.
      </Empty>
    );
  }
  const columns: Column<ExecutionRow>[] = [
    {
      name: 'Run',
      text: ({ workflow }) => workflow.name,
      cell: ({ id, workflow, error, startedAt }) => (
        <>
          <TextLink to="/c/$center/workflows/$id/runs/$run" params={{ center, id: workflow.id, run: id }}>
            {named ? workflow.name : <Ago at={startedAt} />}
          </TextLink>
          {error && <span className={classes.small}>{error}</span>}
        </>
      ),
    },
    executionStatus,
    { name: 'Started by', wideOnly: true, cell: ({ startedBy }) => starterLabel(startedBy, me.actorId) },
    ...(named ? [agoColumn<ExecutionRow>('Began', ({ startedAt }) => startedAt)] : []),
    { name: 'Version', right: true, wideOnly: true, cell: ({ version }) => version },
    {
      name: 'Took',
      right: true,
      cell: ({ startedAt, completedAt }) =>
        completedAt ? duration(Date.parse(completedAt) - Date.parse(startedAt)) : 'Still running',
    },
  ];
  return <Table label="Runs" linked exportable columns={columns} rows={rows} />;
}
