import { recordDecisionInput } from '../../domain/decisions/input.ts';
import { type RecordedDecision as Recorded, recordDecision } from '../../domain/decisions/record/record.ts';
import { builder } from '../builder.ts';
import { DecisionEventType, EventActorType } from '../decision-enums.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

/** Fields shared by decision reports. */
export const DecisionActionInput = nestedInput('DecisionActionInput', recordDecisionInput.shape.action, {
  description: 'The action that was decided, with its input and output.',
});

export const AiContextInput = nestedInput('AiContextInput', recordDecisionInput.shape.aiContext, {
  description: 'The model behind a decision, and its own assessment.',
});

export const RecordedDecision = builder.objectRef<Recorded>('RecordedDecision').implement({
  description: 'A decision event, and whether this call recorded it.',
  fields: onlyProperties({
    event: [DecisionEvent, 'The decision as it was recorded, now or by an earlier call.'],
    created: ['Boolean', 'False if an event with this idempotency key already existed.'],
  }),
});

const DecisionActorInput = nestedInput('DecisionActorInput', recordDecisionInput.shape.actor, {
  description: 'Who or what decided, as your own system identifies it.',
  types: { type: EventActorType },
});

const RecordDecisionEventInput = inputType('RecordDecisionEventInput', recordDecisionInput, {
  description: 'A decision to record, with its actor and its basis.',
  types: {
    type: DecisionEventType,
    actor: DecisionActorInput,
    action: DecisionActionInput,
    aiContext: AiContextInput,
  },
});

builder.mutationField('recordDecisionEvent', (t) =>
  t.field({
    type: RecordedDecision,
    description: 'Records a decision of an agent, a system or a person.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: inputArg(RecordDecisionEventInput, 'The decision to record, with its actor and its basis.'),
    resolve: (_, { input }, ctx) => recordDecision(ctx, input),
  }),
);
