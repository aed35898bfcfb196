import { type AgentDecision, decide } from '../../domain/decisions/approve/decide.ts';
import { agentDecisionInput } from '../../domain/decisions/input.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties, orNull } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';
import { MandateUse } from './mandates.ts';
import { AiContextInput, DecisionActionInput } from './record-event.ts';

const AgentOutcome = enumType<AgentDecision['outcome']>(
  'AgentOutcome',
  "Whether an agent's decision is in effect or waits for an approval.",
  {
    completed: 'The policy requires no approval. The decision is sealed, or will be within seconds.',
    awaiting_approval: 'A person has to approve it.',
    rejected: 'It was rejected, expired or withdrawn. Only a repeated call can find this.',
  },
);

const AgentDecisionRef = builder.objectRef<AgentDecision>('AgentDecision').implement({
  description: "The result of an agent's decision.",
  fields: onlyProperties({
    event: [DecisionEvent, 'The decision as it was recorded.'],
    outcome: [AgentOutcome, 'Whether the decision is in effect.'],
    created: ['Boolean', 'False if a decision with this idempotency key already existed.'],
    mandate: [orNull(MandateUse), 'The mandate that covered the call, or null.'],
  }),
});

const AgentInput = nestedInput('AgentInput', agentDecisionInput.shape.agent, {
  description: 'The agent, identified as in your own system.',
  descriptions: { id: 'Its id in your own system.', name: 'The display name of the agent.' },
});

const AgentDecisionInputRef = inputType('AgentDecisionInput', agentDecisionInput, {
  hideDefaults: true,
  description: "An agent's decision and its basis.",
  types: { agent: AgentInput, action: DecisionActionInput, aiContext: AiContextInput },
  descriptions: {
    agent: 'The agent that decided.',
    action: 'The action.',
    aiContext: 'The model behind it.',
    riskScore: 'The risk according to the agent, 0 to 1.',
    expiresInSeconds: 'Seconds to wait for an approval, 10 to 604,800. Default: one day.',
  },
});

builder.mutationField('decideAsAgent', (t) =>
  t.field({
    type: AgentDecisionRef,
    description:
      "Records an agent's decision. It is sealed at once if the policy allows, otherwise it waits for an approval.",
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: {
      ...inputArg(AgentDecisionInputRef, "The agent's decision and its basis."),
      idempotencyKey: t.arg.string({
        description:
          'A repeated key returns the same decision, and retries sealing if it is not sealed yet. It belongs to the API key of the caller.',
      }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) => decide(ctx, input, idempotencyKey ?? null),
  }),
);
