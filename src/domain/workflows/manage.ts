import { z } from 'zod';
import { DomainError, requireFound, validationError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { sizeOf } from '../limits/storage.ts';
import { principalName } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { checkParameters } from './definition/parameters.ts';
import { type WorkflowDefinition, workflowDefinition } from './definition/workflow.ts';
import { centerZone, insertWorkflow, triggerColumns, versionColumns } from './insert.ts';
import { nextRun } from './schedule.ts';

/** Low enough for a list to show all workflows of a center. */
const MOST_WORKFLOWS = 100;

export const updateWorkflowInput = z.intersection(
  z.object({ id: z.string().describe('The id of the workflow, `wf_…`.') }),
  workflowDefinition,
);

/** Locks the caller's workflow for a change. Deleted workflows are not found. */
export async function lockWorkflow(ctx: Context, work: Work, id: string) {
  await work.db.$queryRaw`
    SELECT FROM workflow WHERE id = ${id} AND center_id = ${currentCenterId(ctx)} FOR UPDATE`;
  const workflow = await work.db.workflow.findUnique({ where: { id, deletedAt: null } });
  return requireFound(workflow, 'Workflow not found.');
}

/** A workflow that starts automatically has no parameters, so it must be able to run without them. */
function checkSelfStarting({ type, parametersSchema }: WorkflowDefinition): void {
  if (type === 'MANUAL' || !parametersSchema) return;
  try {
    checkParameters(parametersSchema, {});
  } catch {
    throw validationError([
      {
        path: 'parametersSchema.required',
        message: `must not be required: a workflow of type ${type} starts without parameters`,
      },
    ]);
  }
}

/** A workflow acts in the name of its center. The audit log shows who changed it. */
function auditWorkflow(
  work: Work,
  { id, name }: { id: string; name: string },
  change: 'created' | 'updated' | 'paused' | 'resumed' | 'deleted',
): void {
  work.audit({ type: 'center.updated', target: id, detail: { change, kind: 'workflow', name } });
}

export async function createWorkflow(ctx: Context, definition: WorkflowDefinition) {
  checkSelfStarting(definition);
  const centerId = currentCenterId(ctx);
  await ctx.app.storage.reserve(centerId, sizeOf(definition));
  return transact(ctx, async (work) => {
    // Locking the center's row serializes creations, so that concurrent ones cannot exceed the limit.
    await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
    const { vertical } = await work.db.center.findUniqueOrThrow({ where: { id: centerId } });
    if ((await work.db.workflow.count({ where: { deletedAt: null } })) >= MOST_WORKFLOWS) {
      throw new DomainError(
        'CONFLICT',
        `A center can have at most ${MOST_WORKFLOWS} workflows; delete one first.`,
      );
    }
    const createdById = principalName(ctx.principal);
    const workflow = await insertWorkflow(work.db, {
      centerId,
      vertical,
      definition,
      createdById,
      now: ctx.now,
    });
    auditWorkflow(work, workflow, 'created');
    return workflow;
  });
}

/** Saves the workflow as a new version. Running executions keep their version. */
export async function updateWorkflow(ctx: Context, id: string, definition: WorkflowDefinition) {
  checkSelfStarting(definition);
  await ctx.app.storage.reserve(currentCenterId(ctx), sizeOf(definition));
  return transact(ctx, async (work) => {
    const { version, centerId } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name: definition.name }, 'updated');
    await work.db.workflowVersion.create({
      data: {
        workflowId: id,
        version: version + 1,
        ...versionColumns(definition),
        createdById: principalName(ctx.principal),
        createdAt: ctx.now,
      },
    });
    return work.db.workflow.update({
      where: { id },
      data: {
        name: definition.name,
        description: definition.description ?? '',
        type: definition.type,
        version: version + 1,
        ...triggerColumns(definition, await centerZone(work.db, centerId), ctx.now),
        updatedAt: ctx.now,
      },
    });
  });
}

/** A paused workflow is not started. Running executions continue. */
export function pauseWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'paused');
    return work.db.workflow.update({ where: { id }, data: { status: 'PAUSED', updatedAt: ctx.now } });
  });
}

/** Resumes a paused workflow. Missed runs are not made up. */
export function resumeWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name, status, cron, timezone } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'resumed');
    const due =
      status === 'PAUSED' && cron && timezone ? { nextRunAt: nextRun(cron, timezone, ctx.now) } : {};
    return work.db.workflow.update({ where: { id }, data: { status: 'ACTIVE', ...due, updatedAt: ctx.now } });
  });
}

/** Deletes the workflow. Its versions and executions stay, because their records reference them. */
export function deleteWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'deleted');
    return work.db.workflow.update({ where: { id }, data: { deletedAt: ctx.now, nextRunAt: null } });
  });
}

/** Throws unless the caller's center has this workflow. */
export async function requireWorkflow(ctx: Context, id: string): Promise<void> {
  const found = await ctx.db.workflow.findUnique({ where: { id, deletedAt: null }, select: { id: true } });
  requireFound(found, 'Workflow not found.');
}
