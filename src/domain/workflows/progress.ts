import type { ExecutionStatus } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';

/** The topic for the progress of an execution. */
const executionTopic = (executionId: string) => `execution:${executionId}`;

export const finalStatuses: ReadonlySet<ExecutionStatus> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

interface Transition {
  workflowId: string;
  executionId: string;
  from: ExecutionStatus | null;
  to: ExecutionStatus;
  dpuId?: string | null;
}

/** Notifies subscribers and live views that an execution changed its status, after the commit. */
export function announceTransition(
  work: Work,
  { workflowId, executionId, from, to, dpuId = null }: Transition,
): void {
  work.emit('workflow.transitioned', { workflowId, executionId, from, to, dpuId });
  work.publish(executionTopic(executionId), { id: executionId, position: null, status: to });
}

/** Notifies live views that a step started, waits or ended. */
export function announceStep(work: Work, executionId: string, position: number, status: string): void {
  work.publish(executionTopic(executionId), { id: executionId, position, status });
}

/** A change in an execution: the step that changed, or null if the execution itself did. */
export interface Progress {
  executionId: string;
  position: number | null;
}

/**
 * All progress of an execution, starting with its completed steps, until it ends. Listening starts before the current state is
 * read, so nothing is missed, but a step may be reported twice.
 */
export async function watchExecution(ctx: Context, executionId: string): Promise<AsyncIterable<Progress>> {
  const messages = ctx.app.bus.subscribe(executionTopic(executionId));
  const execution = await ctx.db.workflowExecution.findUnique({
    where: { id: executionId },
    include: { steps: { select: { position: true }, orderBy: { position: 'asc' } } },
  });
  if (!execution) {
    await messages.return();
    throw new DomainError('NOT_FOUND', 'Execution not found.');
  }
  return (async function* () {
    try {
      for (const { position } of execution.steps) yield { executionId, position };
      yield { executionId, position: null };
      if (finalStatuses.has(execution.status)) return;
      for await (const { position, status } of messages) {
        yield { executionId, position: position as number | null };
        if (position === null && finalStatuses.has(status as never)) return;
      }
    } finally {
      await messages.return();
    }
  })();
}
