import { recordDecisionInput } from '../../domain/decisions/input.ts';
import { type RecordedDecision, recordDecision } from '../../domain/decisions/record/record.ts';
import { builder } from '../builder.ts';
import { DecisionEventType, EventActorType } from '../decision-enums.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

/** Fields shared by decision reports. */
export const DecisionActionInput = nestedInput('DecisionActionInput', recordDecisionInput.shape.action, {
  description: 'What was decided.',
  descriptions: {
    type: 'The kind of action, such as `refund.grant`.',
    description: 'A description of the action.',
    input: 'The input, an object.',
    output: 'The output, an object.',
  },
});

export const AiContextInput = nestedInput('AiContextInput', recordDecisionInput.shape.aiContext, {
  description: 'Information about the model behind a decision.',
  descriptions: { confidence: 'The confidence of the model, 0 to 1.' },
});

const RecordedDecisionRef = builder.objectRef<RecordedDecision>('RecordedDecision').implement({
  description: 'A decision event, and whether this call created it.',
  fields: onlyProperties({
    event: [DecisionEvent, 'The decision event as it was recorded.'],
    created: ['Boolean', 'False if an event with this idempotency key already existed.'],
  }),
});

const DecisionActorInput = nestedInput('DecisionActorInput', recordDecisionInput.shape.actor, {
  description: 'The actor.',
  types: { type: EventActorType },
  descriptions: { id: 'Its id in your own system.', name: 'The display name of the actor.' },
});

const RecordDecisionEventInput = inputType('RecordDecisionEventInput', recordDecisionInput, {
  description: 'The decision, its actor and its basis.',
  types: {
    type: DecisionEventType,
    actor: DecisionActorInput,
    action: DecisionActionInput,
    aiContext: AiContextInput,
  },
  descriptions: {
    action: 'What was decided.',
    aiContext: 'The model behind it.',
    idempotencyKey: 'Repeating the key with the same decision returns the same event.',
  },
});

builder.mutationField('recordDecisionEvent', (t) =>
  t.field({
    type: RecordedDecisionRef,
    description: 'Records a decision of an agent, a system or a person.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: inputArg(RecordDecisionEventInput, 'The decision, its actor and its basis.'),
    resolve: (_, { input }, ctx) => recordDecision(ctx, input),
  }),
);
