import { builder } from '../builder.ts';

/** What reports of decisions have in common. */
export const DecisionActionInput = builder.inputType('DecisionActionInput', {
  description: 'What was decided.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'The kind of action, such as `refund.grant`.' }),
    description: t.string({ description: 'What was decided, in words.' }),
    input: t.field({ type: 'JSON', description: 'What it was decided on; an object.' }),
    output: t.field({ type: 'JSON', description: 'What came out of it; an object.' }),
  }),
});

export const AiContextInput = builder.inputType('AiContextInput', {
  description: 'What is known of the model behind a decision.',
  fields: (t) => ({
    model: t.string({ description: 'The name of the model.' }),
    provider: t.string({ description: 'Who runs the model.' }),
    confidence: t.float({ description: 'How sure it said it was, 0 to 1.' }),
    reasoning: t.string({ description: 'The reasons it gave.' }),
  }),
});
