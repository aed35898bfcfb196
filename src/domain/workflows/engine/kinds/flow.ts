import { ExpressionError } from '../../../expressions/expression.ts';
import { expression, text } from '../../../expressions/sandbox/pieces.ts';
import type { StepOf } from '../../definition/steps.ts';
import { failed, type Performer } from '../outcome.ts';

/** The steps that stay inside the run: text, conditions, branches, waits, reviews. */
export const template: Performer<StepOf<'template'>> = {
  prepare: (step, render) => render({ text: text(step.text) }),
  perform: (_, { input }) => ({ kind: 'done', output: { text: input['text'] } }),
};

export const condition: Performer<StepOf<'condition'>> = {
  prepare: async (step, render) => ({ if: step.if, ...(await render({ value: expression(step.if) })) }),
  perform(step, { input, run }) {
    const holds = input['value'];
    if (typeof holds !== 'boolean') return failed(`${step.if} does not evaluate to true or false`);
    const output = { holds };
    if (holds) return { kind: 'done', output };
    if (step.otherwise === 'fail') return failed(`the condition is false: ${step.if}`);
    const named = run.steps.findIndex(({ step: { name } }) => name === step.otherwise);
    return { kind: 'done', output, next: step.otherwise === 'end' ? run.steps.length : named };
  },
};

export const branch: Performer<StepOf<'branch'>> = {
  prepare: async (step, render) => ({ if: step.if, ...(await render({ value: expression(step.if) })) }),
  perform(step, { input, run, position }) {
    const holds = input['value'];
    if (typeof holds !== 'boolean') return failed(`${step.if} does not evaluate to true or false`);
    const { next, noAt } = run.steps[position]!;
    return { kind: 'done', output: { holds }, next: holds ? next : noAt! };
  },
};

const LONGEST_WAIT_MS = 366 * 86_400_000;

export const wait: Performer<StepOf<'wait'>> = {
  async prepare(step, render, { now }) {
    const until =
      step.until === undefined
        ? new Date(now.getTime() + step.seconds! * 1_000)
        : new Date(String((await render({ until: expression(step.until) })).until));
    if (Number.isNaN(until.getTime())) throw new ExpressionError(`${step.until} does not evaluate to a time`);
    if (until.getTime() - now.getTime() > LONGEST_WAIT_MS)
      throw new ExpressionError('waits longer than a year');
    return { until: until.toISOString() };
  },
  perform(_, { input, ctx }) {
    const until = new Date(input['until'] as string);
    return until <= ctx.now ? { kind: 'done', output: { until: input['until'] } } : { kind: 'pause', until };
  },
};

/** The reviewer supplies the output: see manage-executions.ts. */
export const humanReview: Performer<StepOf<'human_review'>> = {
  prepare: async (step, render) => ({
    ...(await render({ prompt: text(step.prompt) })),
    roles: step.roles,
  }),
  perform: () => ({ kind: 'review' }),
};
