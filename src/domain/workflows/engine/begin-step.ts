import { Prisma } from '../../../db/database.ts';
import { madeStorable } from '../../../lib/text.ts';
import type { Context } from '../../context.ts';
import { ExpressionError, type ExpressionScope } from '../../expressions/expression.ts';
import { transact } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import { loadFacts } from '../facts.ts';
import { announceStep } from '../progress.ts';
import { keepLease } from './lease.ts';
import { MAX_JSON_BYTES, type Render, type StepAttempt } from './outcome.ts';
import { performerOf } from './performers.ts';
import type { Run, RunContext } from './run-state.ts';

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
  const render = renderer(ctx, run, step);
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
function renderer(ctx: RunContext, run: Run, step: Step): Render {
  let scope: Promise<ExpressionScope> | undefined;
  return (pieces) =>
    ctx.app.sandbox.render(run.centerId, pieces, () => {
      scope ??= scopeFor(ctx, run, step);
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

/** What the expressions of a step may see: the run itself and its own center, nothing else. */
export async function scopeFor(ctx: Context, run: Run, step: Step): Promise<ExpressionScope> {
  const source = JSON.stringify(step);
  const center = await ctx.db.center.findUniqueOrThrow({
    where: { id: run.centerId },
    select: { id: true, name: true, centerDomain: true, vertical: true },
  });
  return {
    parameters: run.parameters,
    steps: outputsReadBy(source, run),
    event: source.includes('event') ? await loadEvent(ctx, run) : {},
    workflow: { ...run.workflow, version: run.version },
    execution: { id: run.executionId, startedBy: run.startedBy, startedAt: run.startedAt.toISOString() },
    center: { id: center.id, name: center.name, domain: center.centerDomain, vertical: center.vertical },
    facts: source.includes('facts') ? await loadFacts(ctx.db, run.centerId, ctx.now) : {},
    now: ctx.now.toISOString(),
  };
}

/** Outputs can be large, so only those go along that the step may read: it must name them, unless it reads them all. */
function outputsReadBy(source: string, { outputs }: Run): Record<string, unknown> {
  const readsByName = !/\bsteps\b(?!\s*(?:\.|\[\s*\\?["']))/.test(source);
  if (!readsByName) return outputs;
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => source.includes(name)));
}

/** The event that started the run. Its id is empty when the run was started otherwise, or the event is gone. */
async function loadEvent(ctx: Context, { startedBy, startedAt }: Run) {
  const event = await ctx.db.platformEvent.findUnique({ where: { id: startedBy } });
  if (!event) return { id: '', type: '', data: {}, createdAt: startedAt.toISOString() };
  return { id: event.id, type: event.type, data: event.data, createdAt: event.createdAt.toISOString() };
}
