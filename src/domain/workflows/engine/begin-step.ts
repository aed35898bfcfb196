import { Prisma } from '../../../db/database.ts';
import { withoutUnstorable } from '../../../lib/text.ts';
import { ExpressionError, type ExpressionScope } from '../../expressions/expression.ts';
import { transact } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import { announceStep } from '../progress.ts';
import { keepLease } from './lease.ts';
import { MAX_JSON_BYTES, type Render, type StepAttempt } from './outcome.ts';
import { performerOf } from './performers.ts';
import type { Run, RunContext } from './run-state.ts';
import { scopeFor } from './scope.ts';

/** Higher than any retry limit. Stops a step that crashes its worker every time. */
const MAX_ATTEMPTS = 50;

export interface StartedStep extends StepAttempt {
  attempts: number;
}

/** A step whose expressions cannot be evaluated. Retrying cannot help. */
export class StepNotRunnable extends Error {}

/**
 * Records that the step is being attempted, and with which input, before it runs. Returns the time to retry at if it is too
 * early.
 */
export async function beginStep(ctx: RunContext, run: Run, step: Step): Promise<StartedStep | Date> {
  const { position, executionId } = run;
  const place = { executionId_position: { executionId, position } };
  const before = await ctx.db.workflowStepRun.findUnique({ where: place });
  if (before?.status === 'WAITING' && before.resumeAt && before.resumeAt > ctx.now) return before.resumeAt;
  const render = rendererIn(ctx, run, () => scopeFor(ctx, run, step));
  // All attempts use the input of the first one.
  const input = before?.input ? (before.input as Record<string, unknown>) : await prepared(ctx, step, render);
  const attempts = (before?.attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) throw new StepNotRunnable('the step was interrupted too often');
  await transact(ctx, async (work) => {
    await keepLease(work.db, run, performerOf(step).outside?.seconds(step));
    const row = {
      status: 'RUNNING' as const,
      attempts,
      resumeAt: null,
      error: null,
      input: input instanceof StepNotRunnable ? Prisma.DbNull : (input as Prisma.InputJsonValue),
    };
    if (before) await work.db.workflowStepRun.update({ where: place, data: row });
    else {
      await work.db.workflowStepRun.create({
        data: { executionId, position, name: step.name, kind: step.kind, startedAt: ctx.now, ...row },
      });
    }
    announceStep(work, executionId, position, 'RUNNING');
  });
  if (input instanceof StepNotRunnable) throw input;
  return { ctx, run, position, input, render, attempts };
}

/** A step's templates are evaluated in the sandbox, in a scope that is read once and only if needed. */
export function rendererIn(
  ctx: RunContext,
  run: Pick<Run, 'centerId'>,
  loadScope: () => Promise<ExpressionScope>,
): Render {
  let scope: Promise<ExpressionScope> | undefined;
  return (pieces) =>
    ctx.app.sandbox.render(run.centerId, pieces, () => {
      scope ??= loadScope();
      return scope;
    });
}

async function prepared(
  ctx: RunContext,
  step: Step,
  render: Render,
): Promise<Record<string, unknown> | StepNotRunnable> {
  try {
    const input = withoutUnstorable(await performerOf(step).prepare(step, render, ctx));
    const tooLarge = Buffer.byteLength(JSON.stringify(input)) > MAX_JSON_BYTES;
    return tooLarge ? new StepNotRunnable('the input is too large') : input;
  } catch (error) {
    // Other failures may be temporary: the job is retried.
    if (error instanceof ExpressionError) return new StepNotRunnable(error.message);
    throw error;
  }
}
