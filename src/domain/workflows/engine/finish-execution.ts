import type { ExecutionStatus } from '../../../db/generated/prisma/enums.ts';
import type { Context } from '../../context.ts';
import { recordDpuIn } from '../../dpus/append-dpu.ts';
import type { Work } from '../../unit-of-work.ts';
import { announceTransition } from '../progress.ts';
import { summarise } from './summary.ts';

type FinalStatus = Extract<ExecutionStatus, 'COMPLETED' | 'FAILED' | 'CANCELLED'>;

/**
 * Ends an execution: its decision record, its final status and its audit entry, all in the caller's transaction, which must
 * have locked the execution. AI output stays a DRAFT marked as such, for a person to raise.
 */
export async function finishExecution(
  ctx: Context,
  work: Work,
  executionId: string,
  to: FinalStatus,
  error: string | null = null,
): Promise<void> {
  const execution = await work.db.workflowExecution.findUniqueOrThrow({
    where: { id: executionId },
    include: { workflow: { select: { name: true } }, steps: { orderBy: { position: 'asc' } } },
  });
  const { workflowId, version, startedBy, startedAt, parameters, status: from, steps } = execution;
  const workflowName = execution.workflow.name;
  const content = summarise({
    execution: {
      id: executionId,
      workflowId,
      workflowName,
      version,
      startedBy,
      startedAt,
      completedAt: ctx.now,
      status: to,
      error,
      parameters,
    },
    steps,
  });
  const { dpuId } = await recordDpuIn(ctx, work, {
    content,
    evidenceLevel: 'DRAFT',
    aiGenerated: steps.some(({ kind, status }) => kind === 'ai' && status === 'COMPLETED'),
    referenceType: 'workflow-execution',
    referenceId: executionId,
    actorId: isPerson(startedBy) ? startedBy : `workflow:${workflowId}`,
    tags: ['workflow', to.toLowerCase()],
    metadata: {
      workflowId,
      workflowName,
      version,
      outcome: to,
      reason: `Workflow "${workflowName}", started by ${startedBy}`,
      method: `workflow version ${version}: ${steps.map(({ name, kind }) => `${name} (${kind})`).join(', ')}`,
    },
  });
  await work.db.workflowExecution.update({
    where: { id: executionId },
    data: { status: to, error, dpuId, completedAt: ctx.now, leaseOwner: null, leaseUntil: null },
  });
  work.audit({
    type: 'workflow.executed',
    target: executionId,
    // The error is left out, because its text may contain run data, which can be erased.
    detail: { change: to.toLowerCase(), workflowId, version, dpuId },
  });
  announceTransition(work, { workflowId, executionId, from, to, dpuId });
}

/** People have UUIDs. Everything else that starts a run has another format. */
const isPerson = (startedBy: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(startedBy);
