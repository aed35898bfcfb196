import { z } from 'zod';
import type { Tx } from '../../../db/database.ts';
import { randomToken } from '../../../lib/crypto.ts';
import type { Infrastructure } from '../../context.ts';
import { type PlannedStep, planOf } from '../definition/plan.ts';
import { stepSchema } from '../definition/steps.ts';
import type { Run } from './run-state.ts';

/** Longer than anything may take between two commits, except for a step's own outbound call. */
const LEASE_SECONDS = 60;

/** The execution was taken over or has ended. This job must not write anything more. */
export class LeaseLost extends Error {}

export interface Job {
  jobId: string;
  attempt: number;
}

/**
 * Acquires the lease on an execution. Another job's lease is respected until it expires, but an earlier attempt of the same
 * job is replaced, because the queue reruns a job only after giving up on that attempt. Returns the time to retry at if
 * another job holds the lease, and null if there is nothing to run.
 */
export async function claim(
  app: Infrastructure,
  executionId: string,
  { jobId, attempt }: Job,
): Promise<Run | Date | null> {
  // Unique per claim, because the queue does not count attempts whose worker died.
  const owner = `${jobId}:${attempt}:${randomToken(6)}`;
  const { rowCount } = await app.db.declared('acrossTenants').query(
    `UPDATE workflow_execution SET lease_owner = $2, lease_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND status = 'RUNNING'
       AND (lease_until IS NULL OR lease_until < now() OR split_part(lease_owner, ':', 1) = $4)`,
    [executionId, owner, LEASE_SECONDS, jobId],
  );
  // The job only has the execution's id. The row tells its center.
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

/** The saved steps of a version. Parsed, because an older release may have saved fewer fields. */
export async function stepsOf(db: Tx, workflowId: string, version: number): Promise<PlannedStep[]> {
  const kept = await db.workflowVersion.findUniqueOrThrow({
    where: { workflowId_version: { workflowId, version } },
  });
  return planOf(savedSteps.parse(kept.steps));
}

/** Locks the execution for this transaction and extends the lease, or throws if this job no longer holds it. */
export async function keepLease(tx: Tx, run: Run, seconds = 0): Promise<void> {
  const held = await tx.$executeRaw`
    UPDATE workflow_execution SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS + seconds}::float8)
    WHERE id = ${run.executionId} AND center_id = ${run.centerId} AND status = 'RUNNING'
      AND lease_owner = ${run.owner}`;
  if (held !== 1) throw new LeaseLost();
}

/** Releases the lease while the execution waits. Any worker may take it next. */
export async function releaseLease(tx: Tx, run: Run): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflow_execution SET lease_owner = NULL, lease_until = NULL
    WHERE id = ${run.executionId} AND center_id = ${run.centerId} AND lease_owner = ${run.owner}`;
}
