import type { Prisma } from '../../../db/database.ts';
import type { Context } from '../../context.ts';
import { transact } from '../../unit-of-work.ts';
import type { Step } from '../definition/steps.ts';
import { announceStep } from '../moves.ts';
import { keepLease } from './lease.ts';
import type { Try } from './outcome.ts';
import { performerOf } from './performers.ts';
import type { Run } from './run-state.ts';
import { scopeFor } from './scope.ts';

export interface Begun extends Try {
  attempts: number;
}

/** A step whose expressions cannot be worked out: no try can help. */
export class Unpreparable extends Error {}

/** Writes down that the step is being tried, and with what, before anything happens. Answers a time to come back at, if it is too early. */
export async function beginStep(ctx: Context, run: Run, step: Step): Promise<Begun | Date> {
  const { position, executionId } = run;
  const performer = performerOf(step);
  const place = { executionId_position: { executionId, position } };
  const before = await ctx.db.workflowStepRun.findUnique({ where: place });
  if (before?.status === 'WAITING' && before.resumeAt && before.resumeAt > ctx.now) return before.resumeAt;
  const scope = await scopeFor(ctx, run, step);
  const { input, fault } = before?.input
    ? { input: before.input as object, fault: null }
    : prepared(ctx, step, scope);
  const attempts = (before?.attempts ?? 0) + 1;
  await transact(ctx, async (work) => {
    await keepLease(work.db, run, performer.seconds?.(step));
    const row = {
      status: 'RUNNING' as const,
      attempts,
      resumeAt: null,
      error: null,
      input: input as Prisma.InputJsonValue,
    };
    if (before) await work.db.workflowStepRun.update({ where: place, data: row });
    else {
      await work.db.workflowStepRun.create({
        data: { executionId, position, name: step.name, kind: step.kind, startedAt: ctx.now, ...row },
      });
    }
    announceStep(work, executionId, position, 'RUNNING');
  });
  if (fault !== null) throw new Unpreparable(fault);
  return { ctx, run, position, input: input as Record<string, unknown>, scope, attempts };
}

function prepared(ctx: Context, step: Step, scope: Try['scope']) {
  try {
    return { input: performerOf(step).prepare(step, scope, ctx), fault: null };
  } catch (error) {
    return { input: {}, fault: (error as Error).message };
  }
}
