import { Prisma } from '../../../db/database.ts';
import { madeStorable } from '../../../lib/text.ts';
import { ExpressionError, type ExpressionScope } from '../../expressions/expression.ts';
import { transact } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import { announceStep } from '../progress.ts';
import { keepLease } from './lease.ts';
import { MAX_JSON_BYTES, type Render, type StepAttempt } from './outcome.ts';
import { performerOf } from './performers.ts';
import type { Run, RunContext } from './run-state.ts';
import { scopeFor } from './scope.ts';

/** More than any limit of retries: a step that takes its worker down each time must not do so for ever. */
const MAX_ATTEMPTS = 50;

export interface Begun extends StepAttempt {
  attempts: number;
}

/** A step whose expressions cannot be worked out: no further attempt can help. */
export class Unpreparable extends Error {}

/**
 * Writes down that the step is being tried, and with what, before anything happens. Answers a time to come back at
 * when it is too early.
 */
export async function beginStep(ctx: RunContext, run: Run, step: Step): Promise<Begun | Date> {
  const { position, executionId } = run;
  const place = { executionId_position: { executionId, position } };
  const before = await ctx.db.workflowStepRun.findUnique({ where: place });
  if (before?.status === 'WAITING' && before.resumeAt && before.resumeAt > ctx.now) return before.resumeAt;
  const render = rendererIn(ctx, run, () => scopeFor(ctx, run, step));
  // What the first attempt worked with serves all of them.
  const input = before?.input ? (before.input as Record<string, unknown>) : await prepared(ctx, step, render);
  const attempts = (before?.attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) throw new Unpreparable('it was interrupted too often');
  await transact(ctx, async (work) => {
    await keepLease(work.db, run, performerOf(step).outside?.seconds(step));
    const row = {
      status: 'RUNNING' as const,
      attempts,
      resumeAt: null,
      error: null,
      input: input instanceof Unpreparable ? Prisma.DbNull : (input as Prisma.InputJsonValue),
    };
    if (before) await work.db.workflowStepRun.update({ where: place, data: row });
    else {
      await work.db.workflowStepRun.create({
        data: { executionId, position, name: step.name, kind: step.kind, startedAt: ctx.now, ...row },
      });
    }
    announceStep(work, executionId, position, 'RUNNING');
  });
  if (input instanceof Unpreparable) throw input;
  return { ctx, run, position, input, render, attempts };
}

/** What a step says is worked out in the sandbox, in a scope that is read once, and only if it is needed at all. */
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
): Promise<Record<string, unknown> | Unpreparable> {
  try {
    const input = madeStorable(await performerOf(step).prepare(step, render, ctx));
    const tooLarge = Buffer.byteLength(JSON.stringify(input)) > MAX_JSON_BYTES;
    return tooLarge ? new Unpreparable('the input is too large') : input;
  } catch (error) {
    // Whatever else failed may pass: the job is run again.
    if (error instanceof ExpressionError) return new Unpreparable(error.message);
    throw error;
  }
}
