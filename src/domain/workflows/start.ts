import { Prisma } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { announceTransition } from './progress.ts';
import { enqueueRun } from './queue-run.ts';

interface NewExecution {
  workflow: { id: string; centerId: number; version: number; name: string };
  parameters: Record<string, unknown>;
  /** An actor id, `schedule`, or an event id. */
  startedBy: string;
  /** Makes this start unique: the scheduled time or the event. Absent for manual starts. */
  occurrence: string | null;
  /** A failed or canceled execution. The new one continues where it stopped, with the outputs of its steps. */
  retryOf?: { id: string; version: number; position: number };
}

/** The context with the workflow added as a cause. Start an execution only in such a context. */
export function causedBy(ctx: Context, workflowId: string): Context {
  return { ...ctx, causes: [...ctx.causes, workflowId] };
}

/** Starts an execution of the workflow's current version; null if this occurrence already has one. */
export async function startExecution(ctx: Context, work: Work, input: NewExecution) {
  const { workflow, parameters, startedBy, occurrence, retryOf } = input;
  const version = retryOf?.version ?? workflow.version;
  const [execution] = await work.db.workflowExecution.createManyAndReturn({
    data: [
      {
        id: newId('exe'),
        centerId: workflow.centerId,
        workflowId: workflow.id,
        version,
        position: retryOf?.position ?? 0,
        startedBy,
        occurrence,
        parameters: parameters as Prisma.InputJsonValue,
        trail: [...ctx.causes],
        startedAt: ctx.now,
      },
    ],
    skipDuplicates: true,
  });
  if (!execution) return null;
  if (retryOf) await takeOverSteps(work, retryOf, execution.id);
  await work.db.workflow.update({ where: { id: workflow.id }, data: { lastRun: ctx.now } });
  enqueueRun(work, execution);
  work.audit({
    type: 'workflow.executed',
    target: execution.id,
    detail: {
      change: 'started',
      workflowId: workflow.id,
      version,
      startedBy,
      ...(retryOf && { retryOf: retryOf.id }),
    },
  });
  announceTransition(work, {
    workflowId: workflow.id,
    executionId: execution.id,
    from: null,
    to: 'RUNNING',
  });
  return execution;
}

/** The outputs of completed steps. None of them runs again. */
async function takeOverSteps(
  { db }: Work,
  { id, position }: { id: string; position: number },
  executionId: string,
): Promise<void> {
  const steps = await db.workflowStepRun.findMany({ where: { executionId: id, position: { lt: position } } });
  await db.workflowStepRun.createMany({
    data: steps.map((step) => ({
      ...step,
      executionId,
      input: step.input ?? Prisma.DbNull,
      output: step.output ?? Prisma.DbNull,
    })),
  });
}
