import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { sizeOf } from '../limits/storage.ts';
import { callerOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { checkParameters } from './definition/parameters.ts';
import { lockWorkflow } from './manage.ts';
import { causedBy, startExecution } from './start.ts';

export const executeWorkflowInput = z.object({
  id: z.string(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** Starts a workflow by hand, whatever its type. */
export async function executeWorkflow(
  ctx: Context,
  { id, parameters }: z.infer<typeof executeWorkflowInput>,
) {
  await ctx.app.storage.reserve(currentCenterId(ctx), sizeOf(parameters));
  return transact(causedBy(ctx, id), async (work) => {
    const workflow = await lockWorkflow(ctx, work, id);
    if (workflow.status === 'PAUSED') throw new DomainError('CONFLICT', 'The workflow is paused.');
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
