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

/** The same on all lists of the workflows page, in percent. */
export const FIRST_COLUMN = 28;

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
  // On a page with several lists of runs, their columns are aligned.
  const width = (percent: number) => (named ? { width: percent } : {});
  const columns: Column<ExecutionRow>[] = [
    {
      name: 'Run',
      ...width(FIRST_COLUMN),
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
    { ...executionStatus, ...width(20) },
    {
      name: 'Started by',
      wideOnly: true,
      ...width(16),
      cell: ({ startedBy }) => starterLabel(startedBy, me.actorId),
    },
    ...(named ? [{ ...agoColumn<ExecutionRow>('Began', ({ startedAt }) => startedAt), ...width(13) }] : []),
    { name: 'Version', right: true, wideOnly: true, cell: ({ version }) => version },
    {
      name: 'Took',
      right: true,
      ...width(14),
      cell: ({ startedAt, completedAt }) =>
        completedAt ? duration(Date.parse(completedAt) - Date.parse(startedAt)) : 'Still running',
    },
  ];
  return <Table label="Runs" linked exportable columns={columns} rows={rows} />;
}
