import { type AgentDecision, decide } from '../../domain/decisions/approve/decide.ts';
import { agentDecisionInput } from '../../domain/decisions/input.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties, orNull } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';
import { MandateUse, UnusedMandate } from './mandates.ts';
import { AiContextInput, DecisionActionInput } from './record-event.ts';

const AgentOutcome = enumType<AgentDecision['outcome']>(
  'AgentOutcome',
  'Whether an agent may act on its decision.',
  {
    completed: 'The policy requires no approval. The decision is sealed, or will be within seconds.',
    awaiting_approval: 'A person has to approve it.',
    rejected: 'It was rejected, expired or withdrawn. Only a repeated call can find this.',
  },
);

const AgentDecisionRef = builder.objectRef<AgentDecision>('AgentDecision').implement({
  description: 'A decision of an agent as it was recorded, and whether the agent may act.',
  fields: onlyProperties({
    event: [DecisionEvent, 'The decision as it was recorded, now or by an earlier call.'],
    outcome: [AgentOutcome, 'Whether the agent may act.'],
    created: ['Boolean', 'False if a decision with this idempotency key already existed.'],
    mandate: [orNull(MandateUse), 'The use of the mandate that approved the call; null if none did.'],
    unusedMandate: [
      orNull(UnusedMandate),
      'A mandate of this agent and API key that matches the action but was not used, and why. Null if one was used, or none matches.',
    ],
  }),
});

const AgentInput = nestedInput('AgentInput', agentDecisionInput.shape.agent, {
  description: 'The agent, identified as in your own system.',
});

const AgentDecisionInputRef = inputType('AgentDecisionInput', agentDecisionInput, {
  hideDefaults: true,
  description: 'A decision of an agent, with its basis.',
  types: { agent: AgentInput, action: DecisionActionInput, aiContext: AiContextInput },
});

builder.mutationField('decideAsAgent', (t) =>
  t.field({
    type: AgentDecisionRef,
    description:
      "Records an agent's decision. It is sealed at once if the policy allows, otherwise it waits for an approval.",
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: {
      ...inputArg(AgentDecisionInputRef, 'The decision of the agent, with its basis.'),
      idempotencyKey: t.arg.string({
        description:
          'A repeated key returns the same decision, and retries sealing if it is not sealed yet. It belongs to the API key of the caller.',
      }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) => decide(ctx, input, idempotencyKey ?? null),
  }),
);
