import type { Prisma } from '../../../db/database.ts';
import { withoutUnstorable } from '../../../lib/text.ts';
import { POSTPONED_PRIORITY } from '../../../queue/enqueue.ts';
import type { Context } from '../../context.ts';
import { transact, type Work } from '../../unit-of-work.ts';
import type { PlannedStep } from '../definition/plan.ts';
import type { Step, StepOf } from '../definition/steps.ts';
import { announceStep, announceTransition } from '../progress.ts';
import { enqueueRun } from '../queue-run.ts';
import { finishExecution } from './finish-execution.ts';
import { keepLease, releaseLease } from './lease.ts';
import { failed, MAX_JSON_BYTES, type Outcome, type Output } from './outcome.ts';
import type { Run } from './run-state.ts';

/** Records how an attempt ended. Returns true if the run continues immediately. */
export async function finishStep(
  ctx: Context,
  run: Run,
  step: Step,
  attempts: number,
  outcome: Outcome,
): Promise<boolean> {
  const bounded = withinBounds(outcome);
  const done = await transact(ctx, async (work) => {
    await keepLease(work.db, run);
    switch (bounded.kind) {
      case 'done':
        return complete(ctx, work, run, bounded);
      case 'pause':
        await pause(work, run, bounded.until, { error: null });
        return null;
      case 'busy':
        // Nothing was attempted, so no attempt is counted.
        await pause(
          work,
          run,
          later(ctx, bounded.retryAfterMs),
          { attempts: attempts - 1 },
          POSTPONED_PRIORITY,
        );
        return null;
      case 'review':
        await askForReview(work, run, step as StepOf<'human_review'>);
        return null;
      case 'failed':
        await fail(ctx, work, run, step, attempts, bounded);
        return null;
    }
  });
  if (!done) return false;
  // Updated only now, because a retried transaction must find the run unchanged.
  run.outputs = { ...run.outputs, [step.name]: done.output };
  run.position = done.next;
  return true;
}

function withinBounds(outcome: Outcome): Outcome {
  if (outcome.kind !== 'done' || typeof outcome.output === 'function') return outcome;
  const output = withoutUnstorable(outcome.output);
  const tooLarge = Buffer.byteLength(JSON.stringify(output)) > MAX_JSON_BYTES;
  return tooLarge ? failed('the output is too large') : { ...outcome, output };
}

const placeOf = ({ executionId, position }: Run) => ({ executionId_position: { executionId, position } });

async function complete(
  ctx: Context,
  work: Work,
  run: Run,
  outcome: Extract<Outcome, { kind: 'done' }>,
): Promise<{ output: Output; next: number }> {
  const { executionId, position } = run;
  const next = outcome.next ?? run.steps[position]!.next;
  const output = typeof outcome.output === 'function' ? await outcome.output(work) : outcome.output;
  await work.db.workflowStepRun.update({
    where: placeOf(run),
    data: { status: 'COMPLETED', output: output as Prisma.InputJsonValue, finishedAt: ctx.now },
  });
  await skipSteps(ctx, work, { executionId, steps: run.steps, from: position + 1, to: next });
  await work.db.workflowExecution.update({ where: { id: executionId }, data: { position: next } });
  announceStep(work, executionId, position, 'COMPLETED');
  return { output, next };
}

/** Records the steps between two positions as skipped. */
export async function skipSteps(
  { now }: Pick<Context, 'now'>,
  { db }: Work,
  { executionId, steps, from, to }: { executionId: string; steps: PlannedStep[]; from: number; to: number },
): Promise<void> {
  if (to <= from) return;
  await db.workflowStepRun.createMany({
    data: steps.slice(from, to).map(({ step: { name, kind } }, i) => ({
      executionId,
      position: from + i,
      name,
      kind,
      status: 'SKIPPED' as const,
      startedAt: now,
      finishedAt: now,
    })),
  });
}

/** Releases the execution until the given time. Only a row in the queue waits. */
async function pause(
  work: Work,
  run: Run,
  until: Date,
  change: { error: string | null } | { attempts: number },
  priority = 0,
) {
  await work.db.workflowStepRun.update({
    where: placeOf(run),
    data: { status: 'WAITING', resumeAt: until, ...change },
  });
  await releaseLease(work.db, run);
  enqueueRun(work, { id: run.executionId, centerId: run.centerId }, { runAt: until, priority });
  announceStep(work, run.executionId, run.position, 'WAITING');
}

const later = ({ now }: Context, delayMs: number) => new Date(now.getTime() + delayMs);

async function askForReview(work: Work, run: Run, step: StepOf<'human_review'>) {
  const { executionId, workflow, position } = run;
  await work.db.workflowStepRun.update({ where: placeOf(run), data: { status: 'WAITING' } });
  await work.db.workflowExecution.update({ where: { id: executionId }, data: { status: 'AWAITING_REVIEW' } });
  await releaseLease(work.db, run);
  work.audit({
    type: 'workflow.executed',
    target: executionId,
    detail: { change: 'asked', workflowId: workflow.id, step: step.name },
  });
  work.emit('agent.approval.requested', {
    decisionId: executionId,
    eventId: executionId,
    agentId: workflow.id,
    actionType: `workflow.${step.name}`,
    riskScore: null,
    reason: 'humanReview',
    workflowId: workflow.id,
    executionId,
    step: step.name,
    roles: step.roles,
  });
  work.enqueue('notify_of_question', { centerId: run.centerId, executionId });
  announceStep(work, executionId, position, 'WAITING');
  announceTransition(work, { workflowId: workflow.id, executionId, from: 'RUNNING', to: 'AWAITING_REVIEW' });
}

async function fail(
  ctx: Context,
  work: Work,
  run: Run,
  step: Step,
  attempts: number,
  { error, retryable }: Extract<Outcome, { kind: 'failed' }>,
) {
  const retry = 'retry' in step ? step.retry : undefined;
  if (retryable && retry && attempts <= retry.limit) {
    const delay = retry.backoffSeconds * 1_000 * 2 ** (attempts - 1);
    await pause(work, run, later(ctx, delay), { error });
    return;
  }
  await work.db.workflowStepRun.update({
    where: placeOf(run),
    data: { status: 'FAILED', error, finishedAt: ctx.now },
  });
  announceStep(work, run.executionId, run.position, 'FAILED');
  await finishExecution(ctx, work, run.executionId, 'FAILED', `${step.name}: ${error}`);
}
