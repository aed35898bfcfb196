import { z } from 'zod';
import { type FieldFault, faultsOfIssue } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { isZone, workflowDefinition } from './definition/workflow.ts';
import { centerZone } from './insert.ts';
import { cronProblem, nextRun } from './schedule.ts';

export interface WorkflowCheck {
  faults: FieldFault[];
  nextRuns: Date[];
}

const SHOWN_RUNS = 5;

const trigger = z.object({ type: z.literal('SCHEDULED'), cron: z.string(), timezone: z.string().nullish() });

/** The validation errors and next runs of an unsaved workflow. Nothing is stored. */
export async function checkWorkflow(ctx: Context, definition: unknown): Promise<WorkflowCheck> {
  const parsed = workflowDefinition.safeParse(definition);
  const faults = parsed.success ? [] : parsed.error.issues.flatMap(faultsOfIssue);
  const scheduled = trigger.safeParse(definition);
  if (!scheduled.success || cronProblem(scheduled.data.cron)) return { faults, nextRuns: [] };
  const { cron, timezone } = scheduled.data;
  const zone = timezone && isZone(timezone) ? timezone : await centerZone(ctx.db, currentCenterId(ctx));
  return { faults, nextRuns: runsAfter(ctx.now, cron, zone) };
}

/** The next times of a schedule. */
export function runsAfter(now: Date, cron: string, zone: string, most = SHOWN_RUNS): Date[] {
  const runs: Date[] = [];
  for (let run = nextRun(cron, zone, now); run && runs.length < most; run = nextRun(cron, zone, run)) {
    runs.push(run);
  }
  return runs;
}
