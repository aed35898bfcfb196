import type { Context } from '../../context.ts';
import type { ExpressionScope } from '../../expressions/expression.ts';
import type { Step } from '../definition/steps.ts';
import { loadFacts } from '../facts.ts';
import type { Run } from './run-state.ts';

/** What the expressions of a step can read: only the run itself and its own center. */
export async function scopeFor(ctx: Context, run: Run, step: Step): Promise<ExpressionScope> {
  const source = JSON.stringify(step);
  const center = await ctx.db.center.findUniqueOrThrow({
    where: { id: run.centerId },
    select: { id: true, name: true, centerDomain: true, vertical: true },
  });
  return {
    parameters: run.parameters,
    steps: outputsReadBy(source, run),
    event: source.includes('event') ? await loadEvent(ctx, run) : {},
    workflow: { ...run.workflow, version: run.version },
    execution: { id: run.executionId, startedBy: run.startedBy, startedAt: run.startedAt.toISOString() },
    center: { id: center.id, name: center.name, domain: center.centerDomain, vertical: center.vertical },
    facts: source.includes('facts') ? await loadFacts(ctx.db, run.centerId, ctx.now) : {},
    now: ctx.now.toISOString(),
  };
}

/** Outputs can be large, so only those that the step names are included, or all if it reads them all. */
function outputsReadBy(source: string, { outputs }: Run): Record<string, unknown> {
  const readsByName = !/\bsteps\b(?!\s*(?:\.|\[\s*\\?["']))/.test(source);
  if (!readsByName) return outputs;
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => source.includes(name)));
}

/** The event that started the run. Its id is empty if the run was started otherwise or the event no longer exists. */
async function loadEvent(ctx: Context, { startedBy, startedAt }: Run) {
  const event = await ctx.db.platformEvent.findUnique({ where: { id: startedBy } });
  if (!event) return { id: '', type: '', data: {}, createdAt: startedAt.toISOString() };
  return { id: event.id, type: event.type, data: event.data, createdAt: event.createdAt.toISOString() };
}
