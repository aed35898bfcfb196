import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { finalStatuses } from './moves.ts';
import { executionTopic } from './topic.ts';

/** A sign of life of an execution: a step that moved, or null when the execution itself did. */
export interface Progress {
  executionId: string;
  position: number | null;
}

/**
 * Everything that happens in an execution, beginning with the steps that are behind it, until it ends. Listening
 * starts before the look at what was, so nothing falls in between; a step may be told twice.
 */
export async function watchExecution(ctx: Context, executionId: string): Promise<AsyncIterable<Progress>> {
  const messages = ctx.app.bus.subscribe(executionTopic(executionId));
  const execution = await ctx.db.workflowExecution.findUnique({
    where: { id: executionId },
    include: { steps: { select: { position: true }, orderBy: { position: 'asc' } } },
  });
  if (!execution) throw new DomainError('NOT_FOUND', 'There is no such execution.');
  return (async function* () {
    for (const { position } of execution.steps) yield { executionId, position };
    yield { executionId, position: null };
    if (finalStatuses.has(execution.status)) return;
    for await (const { position, status } of messages) {
      yield { executionId, position: position as number | null };
      if (position === null && finalStatuses.has(status as never)) return;
    }
  })();
}
