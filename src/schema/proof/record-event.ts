import { recordDecisionInput } from '../../domain/decisions/input.ts';
import { type RecordedDecision, recordDecision } from '../../domain/decisions/record/record.ts';
import { builder } from '../builder.ts';
import { DecisionEvent } from './decision-event.ts';
import { DecisionEventType, EventActorType } from './enums.ts';

/** Fields shared by decision reports. */
export const DecisionActionInput = builder.inputType('DecisionActionInput', {
  description: 'What was decided.',
  fields: (t) => ({
    type: t.string({ required: true, description: 'The kind of action, such as `refund.grant`.' }),
    description: t.string({ description: 'A description of the action.' }),
    input: t.field({ type: 'JSON', description: 'The input, an object.' }),
    output: t.field({ type: 'JSON', description: 'The output, an object.' }),
  }),
});

export const AiContextInput = builder.inputType('AiContextInput', {
  description: 'Information about the model behind a decision.',
  fields: (t) => ({
    model: t.string({ description: 'The name of the model.' }),
    provider: t.string({ description: 'The provider of the model.' }),
    confidence: t.float({ description: 'The confidence of the model, 0 to 1.' }),
    reasoning: t.string({ description: 'The reasoning of the model.' }),
  }),
});

const RecordedDecisionRef = builder.objectRef<RecordedDecision>('RecordedDecision').implement({
  description: 'A decision event, and whether this call created it.',
  fields: (t) => ({
    event: t.expose('event', { type: DecisionEvent, description: 'The decision event as it was recorded.' }),
    created: t.exposeBoolean('created', {
      description: 'False if an event with this idempotency key already existed.',
    }),
  }),
});

const DecisionActorInput = builder.inputType('DecisionActorInput', {
  description: 'The actor.',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id in your own system.' }),
    type: t.field({ type: EventActorType, required: true, description: 'The kind of actor.' }),
    name: t.string({ description: 'The display name of the actor.' }),
  }),
});

const RecordDecisionEventInput = builder
  .inputType('RecordDecisionEventInput', {
    description: 'The decision, its actor and its basis.',
    fields: (t) => ({
      type: t.field({
        type: DecisionEventType,
        required: true,
        description: 'The kind of decision.',
      }),
      actor: t.field({ type: DecisionActorInput, required: true, description: 'The actor.' }),
      action: t.field({ type: DecisionActionInput, required: true, description: 'What was decided.' }),
      aiContext: t.field({ type: AiContextInput, description: 'The model behind it.' }),
      tags: t.stringList({ description: 'Tags for searching.' }),
      idempotencyKey: t.string({
        description: 'Repeating the key with the same decision returns the same event.',
      }),
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
        description: 'The decision, its actor and its basis.',
      }),
    },
    resolve: (_, { input }, ctx) => recordDecision(ctx, input),
  }),
);
