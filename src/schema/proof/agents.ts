import { type AgentDecision, decide } from '../../domain/proof/decide.ts';
import { agentDecisionInput } from '../../domain/proof/input.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { DecisionEvent } from './decision-event.ts';
import { MandateUse } from './mandates.ts';
import { AiContextInput, DecisionActionInput } from './record-event.ts';

const AgentOutcome = builder.enumType('AgentOutcome', {
  description: "Whether an agent's decision stands, or waits for a person.",
  values: worded<AgentDecision['outcome']>({
    completed: 'The policy lets it pass without a person: it is sealed, or will be in a moment.',
    awaiting_approval: 'A person has to approve it first.',
    rejected: 'It was rejected, expired or withdrawn. Only a repeated call can find this.',
  }),
});

const AgentDecisionRef = builder.objectRef<AgentDecision>('AgentDecision').implement({
  description: 'What became of the decision of an agent.',
  fields: (t) => ({
    event: t.expose('event', { type: DecisionEvent, description: 'The decision as it was recorded.' }),
    outcome: t.expose('outcome', { type: AgentOutcome, description: 'Whether it stands.' }),
    created: t.exposeBoolean('created', {
      description: 'False when the idempotency key already had this decision.',
    }),
    mandate: t.expose('mandate', {
      type: MandateUse,
      nullable: true,
      description: 'The mandate that covered the call; null where none did.',
    }),
  }),
});

const AgentInput = builder.inputType('AgentInput', {
  description: 'The agent that decided, as your own system knows it.',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Its id in your own system.' }),
    name: t.string({ description: 'What to call the agent.' }),
  }),
});

const AgentDecisionInputRef = builder
  .inputType('AgentDecisionInput', {
    description: 'What an agent decided, and on what grounds.',
    fields: (t) => ({
      agent: t.field({ type: AgentInput, required: true, description: 'The agent that decided.' }),
      action: t.field({ type: DecisionActionInput, required: true, description: 'What it decided.' }),
      aiContext: t.field({ type: AiContextInput, description: 'The model behind it.' }),
      riskScore: t.float({ description: 'How risky the agent calls it, 0 to 1.' }),
      tags: t.stringList({ description: 'Words to find it by.' }),
      expiresInSeconds: t.int({
        description: 'How long it may wait for an approval, 10 to 604,800; a day when left out.',
      }),
    }),
  })
  .validate(agentDecisionInput);

builder.mutationField('decideAsAgent', (t) =>
  t.field({
    type: AgentDecisionRef,
    description:
      'Takes the decision of an agent: seals it at once if the policy lets it pass, else waits for a person.',
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: {
      input: t.arg({
        type: AgentDecisionInputRef,
        required: true,
        description: 'What the agent decided, and on what grounds.',
      }),
      idempotencyKey: t.arg.string({
        description:
          'The same key again gives the same decision, and tries to seal it if it is not sealed yet.',
      }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) => decide(ctx, input, idempotencyKey ?? null),
  }),
);
