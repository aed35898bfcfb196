import { z } from 'zod';
import type { Tx } from '../../../db/database.ts';
import { randomToken } from '../../../lib/crypto.ts';
import type { Infrastructure } from '../../context.ts';
import { type PlannedStep, planOf } from '../definition/plan.ts';
import { stepSchema } from '../definition/steps.ts';
import type { Run } from './run-state.ts';

/** Longer than anything but a step's own outside call may take between two commits. */
const LEASE_SECONDS = 60;

/** The execution was taken over or ended meanwhile: whatever this job still had in mind must not be written. */
export class LeaseLost extends Error {}

export interface Job {
  jobId: string;
  attempt: number;
}

/**
 * Takes the execution into this job's hands. Another job's hold is respected until it runs out, unless that was an
 * earlier attempt of this very job: the queue runs a job again only once it has given up on the attempt before.
 * Answers the moment at which it can be tried again when somebody else holds it, and null when there is nothing to run.
 */
export async function claim(
  app: Infrastructure,
  executionId: string,
  { jobId, attempt }: Job,
): Promise<Run | Date | null> {
  // Of its own for every claim: the queue does not count attempts that their worker did not live to finish.
  const owner = `${jobId}:${attempt}:${randomToken(6)}`;
  const { rowCount } = await app.db.declared('acrossTenants').query(
    `UPDATE workflow_execution SET lease_owner = $2, lease_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND status = 'RUNNING'
       AND (lease_until IS NULL OR lease_until < now() OR split_part(lease_owner, ':', 1) = $4)`,
    [executionId, owner, LEASE_SECONDS, jobId],
  );
  // The job is only told the execution's id: which center it works in follows from the row.
  const found = await app.db.acrossTenants.workflowExecution.findUnique({
    where: { id: executionId },
    include: { workflow: true, steps: { where: { status: 'COMPLETED' } } },
  });
  if (found?.status !== 'RUNNING') return null;
  if (rowCount === 0 || found.leaseOwner !== owner) return found.leaseUntil ?? new Date();
  return {
    executionId,
    centerId: found.centerId,
    workflow: { id: found.workflowId, name: found.workflow.name, vertical: found.workflow.vertical },
    version: found.version,
    steps: await stepsOf(app.db.acrossTenants, found.workflowId, found.version),
    position: found.position,
    parameters: found.parameters as Record<string, unknown>,
    startedBy: found.startedBy,
    startedAt: found.startedAt,
    trail: found.trail,
    owner,
    outputs: Object.fromEntries(found.steps.map(({ name, output }) => [name, output])),
  };
}

const savedSteps = z.array(stepSchema);

/** The steps of a version as they were saved; parsed, because an older release may have saved fewer fields. */
export async function stepsOf(db: Tx, workflowId: string, version: number): Promise<PlannedStep[]> {
  const kept = await db.workflowVersion.findUniqueOrThrow({
    where: { workflowId_version: { workflowId, version } },
  });
  return planOf(savedSteps.parse(kept.steps));
}

/** Locks the execution for this transaction and goes on holding it, or throws when it is no longer ours. */
export async function keepLease(tx: Tx, run: Run, seconds = 0): Promise<void> {
  const held = await tx.$executeRaw`
    UPDATE workflow_execution SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS + seconds}::float8)
    WHERE id = ${run.executionId} AND center_id = ${run.centerId} AND status = 'RUNNING'
      AND lease_owner = ${run.owner}`;
  if (held !== 1) throw new LeaseLost();
}

/** Releases the execution while it waits; any worker may take it next. */
export async function releaseLease(tx: Tx, run: Run): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflow_execution SET lease_owner = NULL, lease_until = NULL
    WHERE id = ${run.executionId} AND center_id = ${run.centerId} AND lease_owner = ${run.owner}`;
}
