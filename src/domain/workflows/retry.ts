import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { sizeOf } from '../limits/storage.ts';
import { callerOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { lockWorkflow } from './manage.ts';
import { causedBy, startExecution } from './start.ts';

/**
 * Tries an execution that failed or was cancelled again: as a new one of the same version, which takes over what the steps
 * before have given and begins with the step that the old one ended at. The old one and its record stay as they are.
 */
export async function retryExecution(ctx: Context, id: string) {
  const found = await ctx.db.workflowExecution.findUnique({ where: { id } });
  if (!found) throw new DomainError('NOT_FOUND', 'There is no such execution.');
  const { workflowId } = found;
  await ctx.app.storage.reserve(found.centerId, sizeOf(found.parameters));
  return transact(causedBy(ctx, workflowId), async (work) => {
    const workflow = await lockWorkflow(ctx, work, workflowId);
    const ended = await work.db.workflowExecution.findUniqueOrThrow({ where: { id } });
    if (ended.status !== 'FAILED' && ended.status !== 'CANCELLED') {
      throw new DomainError(
        'CONFLICT',
        `Only what failed or was cancelled is retried: it is ${ended.status}.`,
      );
    }
    if (workflow.status === 'PAUSED') throw new DomainError('CONFLICT', 'The workflow is paused.');
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
