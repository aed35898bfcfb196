import type { UsedMandate } from '../../domain/decisions/approve/seal-under-mandate.ts';
import {
  getMandate,
  listMandates,
  type MandateStatus,
  type MandateView,
  type RequestedMandate,
  requestMandate,
  revokeMandate,
  usesOfMandate,
} from '../../domain/decisions/mandates/mandates.ts';
import {
  type MandateTerms,
  requestMandateInput,
  revokeMandateInput,
} from '../../domain/decisions/mandates/terms.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

const reading = { access: { roles: ['ADMIN'], apiKey: 'proof:read' } } as const;
const changing = { access: { roles: ['ADMIN'], apiKey: 'proof:write' } } as const;

const MOST_USES = 100;

const MandateStatusRef = enumType<MandateStatus>('MandateStatus', 'The status of a mandate.', {
  pending: 'Pending: the granting decision waits for an approval.',
  active: 'Active: it approves calls within its limits.',
  exhausted: 'Exhausted: no uses or budget left.',
  expired: 'Expired.',
  revoked: 'Revoked.',
  rejected: 'Rejected.',
});

const MandateAgent = builder.objectRef<MandateTerms['agent']>('MandateAgent').implement({
  description: 'The agent that a mandate is for.',
  fields: onlyProperties({ id: ['String', 'The id of the agent, as in its calls.'] }),
});

const MandateBudget = builder.objectRef<NonNullable<MandateTerms['budget']>>('MandateBudget').implement({
  description: 'The budget of a mandate.',
  fields: onlyProperties({
    member: ['String', 'The dotted path to a number in the input of each call.'],
    limit: ['Float', 'The limit of the sum.'],
  }),
});

const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

const Mandate = builder.objectRef<MandateView>('Mandate').implement({
  description:
    'An approval for a class of calls of one agent. Its terms are null once they are erased from the granting decision.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id, referenced by sealed decisions.'],
      status: [MandateStatusRef, 'The status.'],
      used: ['Int', 'The number of uses.'],
      eventId: ['ID', 'The decision event that grants it.'],
      revokedAt: ['DateTime?', 'When it was revoked.'],
      createdAt: ['DateTime', 'When it was requested.'],
    }),
    agent: t.field({
      type: MandateAgent,
      nullable: true,
      description: 'The agent.',
      resolve: ({ terms }) => terms?.agent ?? null,
    }),
    keys: t.field({
      type: ['ID'],
      nullable: true,
      description:
        'The ids of the API keys that may use it. Empty if it was requested before mandates had keys and no key may use it.',
      resolve: ({ terms, keys }) => terms && keys,
    }),
    actionPattern: t.string({
      nullable: true,
      description: 'The type of action, or a prefix that ends in `.*`.',
      resolve: ({ terms }) => terms?.actionPattern ?? null,
    }),
    condition: t.string({
      nullable: true,
      description: 'A CEL expression over `input` and `riskScore` that must give true.',
      resolve: ({ terms }) => terms?.condition ?? null,
    }),
    maxUses: t.int({
      nullable: true,
      description: 'The maximum number of uses.',
      resolve: ({ terms }) => terms?.maxUses ?? null,
    }),
    budget: t.field({
      type: MandateBudget,
      nullable: true,
      description: 'The budget.',
      resolve: ({ terms }) => terms?.budget ?? null,
    }),
    spent: t.float({
      nullable: true,
      description: 'The amount spent; null without a budget.',
      resolve: ({ terms, spent }) => (terms?.budget ? spent : null),
    }),
    validFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it becomes valid; null for as soon as it is granted.',
      resolve: ({ terms }) => momentOf(terms?.validFrom),
    }),
    validUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it expires.',
      resolve: ({ terms }) => momentOf(terms?.validUntil),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why it was requested.',
      resolve: ({ terms }) => terms?.reason ?? null,
    }),
    uses: t.field({
      type: [DecisionEvent],
      complexity: 20,
      description: 'The decisions that it approved, newest first.',
      args: {
        first: t.arg.int({ defaultValue: 20, description: 'How many to give, at most 100.' }),
      },
      resolve: ({ id }, { first }, ctx) =>
        usesOfMandate(ctx, id, Math.min(Math.max(first ?? 20, 0), MOST_USES)),
    }),
  }),
});

const MandateRemainder = builder.objectRef<UsedMandate['remaining']>('MandateRemainder').implement({
  description: 'The remaining uses and budget of a mandate.',
  fields: onlyProperties({
    uses: ['Int?', 'The remaining uses; null without a limit.'],
    budget: ['Float?', 'The remaining budget; null without a budget.'],
  }),
});

export const MandateUse = builder.objectRef<UsedMandate>('MandateUse').implement({
  description: 'The use of a mandate by a sealed decision.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the mandate.'],
      eventId: ['ID', 'The decision event that grants it.'],
      use: ['Int', 'The number of this use, from 1.'],
      remaining: [MandateRemainder, 'The remainder after this use.'],
    }),
    spent: t.float({
      nullable: true,
      description: 'The amount spent after this use; null without a budget.',
      resolve: ({ spent }) => spent ?? null,
    }),
  }),
});

const Requested = builder.objectRef<RequestedMandate>('RequestedMandate').implement({
  description: 'A pending mandate.',
  fields: onlyProperties({
    mandateId: ['ID', 'The id of the mandate.'],
    eventId: ['ID', 'The decision event to approve.'],
    status: [MandateStatusRef, 'Always pending.'],
  }),
});

const MandateAgentInput = nestedInput('MandateAgentInput', requestMandateInput.shape.agent, {
  description: 'The agent that a mandate is for.',
  descriptions: { id: 'The id of the agent, as in its calls.' },
});

const MandateBudgetInput = nestedInput('MandateBudgetInput', requestMandateInput.shape.budget, {
  description: 'The budget of a mandate.',
  descriptions: {
    member: 'The dotted path to a number in the input of each call, such as `order.amount`.',
    limit: 'The limit of the sum.',
  },
});

const RequestMandateInput = inputType('RequestMandateInput', requestMandateInput, {
  description: 'The terms of a mandate.',
  types: { agent: MandateAgentInput, budget: MandateBudgetInput, keys: 'ID' },
  descriptions: {
    actionPattern: 'A type of action, or a prefix that ends in `.*`.',
    budget: 'The budget.',
    validFrom: 'When it becomes valid. Default: as soon as it is granted.',
    validUntil: 'When it expires, at most 366 days from now.',
    reason: 'The reason, for the approvers.',
  },
});

const RevokeMandateInput = inputType('RevokeMandateInput', revokeMandateInput, {
  description: 'A mandate to revoke.',
  types: { id: 'ID' },
  descriptions: { id: 'The id of the mandate to revoke.', reason: 'The reason for the revocation.' },
});

builder.queryFields((t) => ({
  mandate: t.field({
    type: Mandate,
    description: 'A mandate of the center.',
    authScopes: reading,
    args: { id: t.arg.id({ required: true, description: 'The id of the mandate to read.' }) },
    resolve: (_, { id }, ctx) => getMandate(ctx, String(id)),
  }),
  mandates: t.connection({
    type: Mandate,
    description: "The center's mandates, newest first.",
    extensions: { fromReplica: true },
    authScopes: reading,
    resolve: (_, args, ctx) => connectionById('mnd', args, (window) => listMandates(ctx, window)),
  }),
}));

builder.mutationFields((t) => ({
  requestMandate: t.field({
    type: Requested,
    description:
      'Requests a mandate by recording its granting decision. A human has to approve it, in a session or with a passkey.',
    authScopes: changing,
    args: inputArg(RequestMandateInput, 'The terms of the mandate.'),
    resolve: (_, { input }, ctx) => requestMandate(ctx, input),
  }),
  revokeMandate: t.field({
    type: Mandate,
    description: 'Revokes a mandate immediately. Decisions that it approved remain sealed.',
    authScopes: changing,
    args: inputArg(RevokeMandateInput, 'The mandate and the reason.'),
    resolve: (_, { input: { id, reason } }, ctx) => revokeMandate(ctx, String(id), reason),
  }),
}));
