import { recordDecisionInput } from '../../domain/proof/input.ts';
import { type RecordedDecision, recordDecision } from '../../domain/proof/record.ts';
import { builder } from '../builder.ts';
import { DecisionEvent } from './decision-event.ts';
import { DecisionEventType, EventActorType } from './enums.ts';

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

const RecordedDecisionRef = builder.objectRef<RecordedDecision>('RecordedDecision').implement({
  description: 'A decision event, and whether this call made it.',
  fields: (t) => ({
    event: t.expose('event', { type: DecisionEvent, description: 'The decision event as it was recorded.' }),
    created: t.exposeBoolean('created', {
      description: 'False when its idempotency key already had this event.',
    }),
  }),
});

const DecisionActorInput = builder.inputType('DecisionActorInput', {
  description: 'Who or what decided.',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id in your own system.' }),
    type: t.field({ type: EventActorType, required: true, description: 'What kind of actor it is.' }),
    name: t.string({ description: 'What to call the actor.' }),
  }),
});

const RecordDecisionEventInput = builder
  .inputType('RecordDecisionEventInput', {
    description: 'What was decided, by whom, and on what grounds.',
    fields: (t) => ({
      type: t.field({
        type: DecisionEventType,
        required: true,
        description: 'What kind of decision it was.',
      }),
      actor: t.field({ type: DecisionActorInput, required: true, description: 'Who or what decided.' }),
      action: t.field({ type: DecisionActionInput, required: true, description: 'What was decided.' }),
      aiContext: t.field({ type: AiContextInput, description: 'The model behind it.' }),
      tags: t.stringList({ description: 'Words to find it by.' }),
      idempotencyKey: t.string({ description: 'The same key and decision again give the same event.' }),
    }),
  })
  .validate(recordDecisionInput);

builder.mutationField('recordDecisionEvent', (t) =>
  t.field({
    type: RecordedDecisionRef,
    description: 'Records a decision of an agent, a system or a person.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: {
      input: t.arg({
        type: RecordDecisionEventInput,
        required: true,
        description: 'What was decided, by whom, and on what grounds.',
      }),
    },
    resolve: (_, { input }, ctx) => recordDecision(ctx, input),
  }),
);
