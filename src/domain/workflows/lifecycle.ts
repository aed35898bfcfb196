import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { auditWorkflow, lockWorkflow } from './manage.ts';
import { nextRun } from './schedule.ts';

/** Nothing starts a paused workflow; executions under way go on. */
export function pauseWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'paused');
    return work.db.workflow.update({ where: { id }, data: { status: 'PAUSED', updatedAt: ctx.now } });
  });
}

/** Lets a paused workflow start again. What it would have run meanwhile is not made up for. */
export function resumeWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name, status, cron, timezone } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'resumed');
    const due =
      status === 'PAUSED' && cron && timezone ? { nextRunAt: nextRun(cron, timezone, ctx.now) } : {};
    return work.db.workflow.update({ where: { id }, data: { status: 'ACTIVE', ...due, updatedAt: ctx.now } });
  });
}

/** Takes the workflow away. Its versions and executions stay, because their records refer to them. */
export function deleteWorkflow(ctx: Context, id: string) {
  return transact(ctx, async (work) => {
    const { name } = await lockWorkflow(ctx, work, id);
    auditWorkflow(work, { id, name }, 'deleted');
    return work.db.workflow.update({ where: { id }, data: { deletedAt: ctx.now, nextRunAt: null } });
  });
}
