import { type Infrastructure, makeContext } from '../context.ts';
import { patternsFor } from '../events/catalog.ts';
import { featuresOffOfCenter } from '../features/features-off.ts';
import { transact } from '../unit-of-work.ts';
import { checkParameters } from './definition/parameters.ts';
import { causedBy, startExecution } from './start.ts';

/**
 * Starts the workflows of the event's own center that are triggered by it, each at most once per event. Skips workflows that
 * contributed to the event, so that none can trigger itself.
 */
export async function startEventWorkflows(
  app: Infrastructure,
  eventId: string,
  causes: string[],
): Promise<void> {
  const event = await app.db.acrossTenants.platformEvent.findUnique({ where: { id: eventId } });
  if (!event) return;
  const { centerId } = event;
  const ctx = makeContext({
    app,
    principal: { kind: 'system', name: 'events', centerId },
    requestId: eventId,
    causes,
  });
  const center = await ctx.db.center.findUnique({ where: { id: centerId }, select: { status: true } });
  if (center?.status !== 'ACTIVE' || !(await ctx.app.storage.fits(centerId, 0))) return;
  if ((await featuresOffOfCenter(app, centerId)).workflows) return;
  const waiting = await ctx.db.workflow.findMany({
    where: {
      type: 'EVENT',
      status: 'ACTIVE',
      deletedAt: null,
      eventPattern: { in: patternsFor(event.type) },
      id: { notIn: causes },
    },
    orderBy: { id: 'asc' },
  });
  for (const workflow of waiting) {
    const starting = causedBy(ctx, workflow.id);
    await transact(starting, async (work) => {
      const { parametersSchema } = await work.db.workflowVersion.findUniqueOrThrow({
        where: { workflowId_version: { workflowId: workflow.id, version: workflow.version } },
      });
      await startExecution(starting, work, {
        workflow,
        parameters: checkParameters(parametersSchema, {}),
        startedBy: eventId,
        occurrence: eventId,
      });
    });
  }
}
