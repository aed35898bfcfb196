import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { sizeOf } from '../limits/storage.ts';
import { callerOf } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { checkParameters } from './definition/parameters.ts';
import type { StepOf } from './definition/steps.ts';
import { finishExecution } from './engine/finish-execution.ts';
import { skipSteps } from './engine/finish-step.ts';
import { stepsOf } from './engine/lease.ts';
import { lockWorkflow } from './manage.ts';
import { announceStep, announceTransition, finalStatuses } from './progress.ts';
import { reviewerRole } from './questions.ts';
import { enqueueRun } from './queue-run.ts';
import { causedBy, startExecution } from './start.ts';

export const executeWorkflowInput = z.object({
  id: z.string().describe('The id of the workflow, `wf_…`.'),
  parameters: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta(doc('The values that its steps read as `parameters`, an object. Default: none.', {})),
});

/** Starts a workflow manually, regardless of its trigger. */
export async function executeWorkflow(
  ctx: Context,
  { id, parameters }: z.infer<typeof executeWorkflowInput>,
) {
  await ctx.app.storage.reserve(currentCenterId(ctx), sizeOf(parameters));
  return transact(causedBy(ctx, id), async (work) => {
    const workflow = await lockWorkflow(ctx, work, id);
    if (workflow.status === 'PAUSED')
      throw new DomainError('CONFLICT', 'The workflow is paused; resume it first.');
    const { parametersSchema } = await work.db.workflowVersion.findUniqueOrThrow({
      where: { workflowId_version: { workflowId: id, version: workflow.version } },
    });
    const execution = await startExecution(causedBy(ctx, id), work, {
      workflow,
      parameters: checkParameters(parametersSchema, parameters),
      startedBy: callerOf(ctx.principal).id ?? 'anonymous',
      occurrence: null,
    });
    return execution!;
  });
}

/**
 * Retries a failed or canceled execution as a new execution of the same version. It reuses the outputs of the completed steps
 * and begins at the step where the old one ended. The old execution and its record stay unchanged.
 */
export async function retryExecution(ctx: Context, id: string) {
  const known = await ctx.db.workflowExecution.findUnique({ where: { id } });
  const { workflowId, centerId, parameters } = requireFound(known, 'Execution not found.');
  await ctx.app.storage.reserve(centerId, sizeOf(parameters));
  return transact(causedBy(ctx, workflowId), async (work) => {
    const workflow = await lockWorkflow(ctx, work, workflowId);
    const ended = await work.db.workflowExecution.findUniqueOrThrow({ where: { id } });
    if (ended.status !== 'FAILED' && ended.status !== 'CANCELLED') {
      throw new DomainError(
        'CONFLICT',
        `Only failed or canceled executions can be retried; this one is ${ended.status}.`,
      );
    }
    if (workflow.status === 'PAUSED')
      throw new DomainError('CONFLICT', 'The workflow is paused; resume it first.');
    const execution = await startExecution(causedBy(ctx, workflowId), work, {
      workflow,
      parameters: ended.parameters as Record<string, unknown>,
      startedBy: callerOf(ctx.principal).id ?? 'anonymous',
      occurrence: null,
      retryOf: ended,
    });
    return execution!;
  });
}

async function lockExecution(ctx: Context, work: Work, id: string) {
  await work.db.$queryRaw`
    SELECT FROM workflow_execution WHERE id = ${id} AND center_id = ${currentCenterId(ctx)} FOR UPDATE`;
  const execution = await work.db.workflowExecution.findUnique({ where: { id } });
  return requireFound(execution, 'Execution not found.');
}

/** The request as caused by the execution, so that its effects have the same causes as those of the steps. */
async function within(ctx: Context, id: string): Promise<Context> {
  const execution = await ctx.db.workflowExecution.findUnique({ where: { id }, select: { trail: true } });
  return { ...ctx, causes: execution?.trail ?? [] };
}

/** Cancels an execution at its current step. A running step may still reach other systems; no further step runs. */
export async function cancelExecution(caller: Context, id: string) {
  const ctx = await within(caller, id);
  return transact(ctx, async (work) => {
    const execution = await lockExecution(ctx, work, id);
    if (finalStatuses.has(execution.status)) {
      throw new DomainError('CONFLICT', `The execution is already ${execution.status}.`);
    }
    await work.db.workflowStepRun.updateMany({
      where: { executionId: id, status: { in: ['RUNNING', 'WAITING'] } },
      data: { status: 'FAILED', error: 'cancelled', finishedAt: ctx.now },
    });
    await finishExecution(ctx, work, id, 'CANCELLED', 'cancelled');
    return work.db.workflowExecution.findUniqueOrThrow({ where: { id } });
  });
}

export const decideReviewInput = z.object({
  executionId: z.string().describe('The id of the execution, `exe_…`, which must be AWAITING_REVIEW.'),
  approved: z
    .boolean()
    .describe('True to continue. False fails the execution, or continues it if the step says so.'),
  reason: plainText(10_000).nullish().describe('Why, at most 10,000 characters; stored with the execution.'),
});

/** Decides a pending review. The execution then continues, or fails if the step says so. */
export async function decideReview(caller: Context, input: z.infer<typeof decideReviewInput>) {
  const { executionId, approved, reason } = input;
  const ctx = await within(caller, executionId);
  return transact(ctx, async (work) => {
    const execution = await lockExecution(ctx, work, executionId);
    if (execution.status !== 'AWAITING_REVIEW') {
      throw new DomainError(
        'CONFLICT',
        `The execution is not waiting for a review; it is ${execution.status}.`,
      );
    }
    const { position, workflowId, version } = execution;
    const steps = await stepsOf(work.db, workflowId, version);
    const step = steps[position]!.step as StepOf<'human_review'>;
    const { next } = steps[position]!;
    checkReviewer(ctx, step);
    const { id: reviewerId } = callerOf(ctx.principal);
    const rejected = !approved && step.onReject === 'fail';
    const output = { approved, reason: reason ?? null, reviewerId };
    await work.db.workflowStepRun.update({
      where: { executionId_position: { executionId, position } },
      data: {
        status: rejected ? 'FAILED' : 'COMPLETED',
        output: output as Prisma.InputJsonValue,
        error: rejected ? 'rejected' : null,
        finishedAt: ctx.now,
      },
    });
    work.audit({
      type: 'workflow.executed',
      target: executionId,
      detail: { change: 'reviewed', step: step.name, approved, reason: reason ?? null },
    });
    announceStep(work, executionId, position, rejected ? 'FAILED' : 'COMPLETED');
    if (rejected) await finishExecution(ctx, work, executionId, 'FAILED', `${step.name}: rejected`);
    else {
      await skipSteps(ctx, work, { executionId, steps, from: position + 1, to: next });
      await goOn(work, execution, next);
    }
    return work.db.workflowExecution.findUniqueOrThrow({ where: { id: executionId } });
  });
}

function checkReviewer(ctx: Context, step: StepOf<'human_review'>): void {
  const role = reviewerRole(ctx);
  if (role && (step.roles as string[]).includes(role)) return;
  throw new DomainError('INSUFFICIENT_ROLE', `Only ${step.roles.join(' or ')} can decide this review.`);
}

async function goOn(
  work: Work,
  { id, centerId, workflowId }: { id: string; centerId: number; workflowId: string },
  position: number,
) {
  await work.db.workflowExecution.update({
    where: { id },
    data: { status: 'RUNNING', position },
  });
  enqueueRun(work, { id, centerId });
  announceTransition(work, { workflowId, executionId: id, from: 'AWAITING_REVIEW', to: 'RUNNING' });
}
