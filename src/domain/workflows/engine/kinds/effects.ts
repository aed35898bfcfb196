import { publishDecision } from '../../../announcements.ts';
import { recordDecisionInput } from '../../../decisions/input.ts';
import { insertEventsIn } from '../../../decisions/record/insert-events.ts';
import { draftDecision } from '../../../decisions/record/record.ts';
import { eventCatalog } from '../../../events/catalog.ts';
import { json } from '../../../expressions/sandbox/pieces.ts';
import type { StepOf } from '../../definition/steps.ts';
import { failed, type Performer } from '../outcome.ts';

/** The steps that change something in this service. Effect and result are committed together. */
export const emitEvent: Performer<StepOf<'emit_event'>> = {
  prepare: async (step, render) => ({ type: step.type, ...(await render({ data: json(step.data) })) }),
  perform(step, { input, run }) {
    const { id: workflowId } = run.workflow;
    const data = { ...(input['data'] as object), workflowId, executionId: run.executionId };
    const checked = eventCatalog[step.type].data.safeParse(data);
    if (!checked.success) return failed(`the data of ${step.type} is invalid: ${firstFault(checked.error)}`);
    return {
      kind: 'done',
      output: async (work) => {
        work.emit(step.type, checked.data);
        return { type: step.type, data: checked.data };
      },
    };
  },
};

export const recordDecision: Performer<StepOf<'record_decision'>> = {
  prepare: async (step, render) => ({ ...(await render({ action: json(step.action) })), tags: step.tags }),
  perform(_, { ctx, run, position, input }) {
    const { id, name } = run.workflow;
    const actor = { id, type: 'system', name };
    const checked = recordDecisionInput.safeParse({ ...input, type: 'workflow_step', actor });
    if (!checked.success) return failed(`the decision is invalid: ${firstFault(checked.error)}`);
    const key = { value: `${run.executionId}:${position}`, body: input };
    const draft = draftDecision(ctx, checked.data, { source: 'WORKFLOW', key });
    return {
      kind: 'done',
      output: async (work) => {
        await insertEventsIn(work.db, [draft]);
        const { id: eventId, decisionId } = draft.event;
        publishDecision(work, draft.centerId, eventId);
        return { eventId, decisionId };
      },
    };
  },
};

function firstFault({ issues }: { issues: { path: PropertyKey[]; message: string }[] }): string {
  const { path, message } = issues[0]!;
  return `${path.map(String).join('.')}: ${message}`;
}
