import {
  type MandateTerms,
  requestMandateInput,
  revokeMandateInput,
} from '../../domain/proof/mandate-terms.ts';
import {
  getMandate,
  listMandates,
  type MandateStatus,
  type MandateView,
  type RequestedMandate,
  requestMandate,
  revokeMandate,
  usesOfMandate,
} from '../../domain/proof/mandates.ts';
import type { UsedMandate } from '../../domain/proof/seal-under-mandate.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { worded } from '../enum-values.ts';
import { DecisionEvent } from './decision-event.ts';

const reading = { access: { roles: ['ADMIN'], apiKey: 'proof:read' } } as const;
const changing = { access: { roles: ['ADMIN'], apiKey: 'proof:write' } } as const;

const MOST_USES = 100;

const MandateStatusRef = builder.enumType('MandateStatus', {
  description: 'Whether a mandate approves calls.',
  values: worded<MandateStatus>({
    pending: 'The decision that grants it waits for a human.',
    active: 'It approves calls within its limits.',
    exhausted: 'Its uses or its budget are used up.',
    expired: 'Its last day has passed.',
    revoked: 'It was revoked.',
    rejected: 'It was not granted.',
  }),
});

const MandateAgent = builder.objectRef<MandateTerms['agent']>('MandateAgent').implement({
  description: 'The agent that a mandate is for.',
  fields: (t) => ({ id: t.exposeString('id', { description: 'Its id, as its calls name it.' }) }),
});

const MandateBudget = builder.objectRef<NonNullable<MandateTerms['budget']>>('MandateBudget').implement({
  description: 'What the uses of a mandate may add up to.',
  fields: (t) => ({
    member: t.exposeString('member', { description: 'The path to a number in the input of each call.' }),
    limit: t.exposeFloat('limit', { description: 'The most that the numbers may add up to.' }),
  }),
});

const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

const Mandate = builder.objectRef<MandateView>('Mandate').implement({
  description:
    'An approval for a class of calls of one agent. Its terms are null once they are erased from the granting decision.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id, which sealed decisions name.' }),
    status: t.expose('status', { type: MandateStatusRef, description: 'Whether it approves calls.' }),
    agent: t.field({
      type: MandateAgent,
      nullable: true,
      description: 'The agent that it is for.',
      resolve: ({ terms }) => terms?.agent ?? null,
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
      description: 'How many calls it approves at most.',
      resolve: ({ terms }) => terms?.maxUses ?? null,
    }),
    used: t.exposeInt('used', { description: 'How many calls it has approved.' }),
    budget: t.field({
      type: MandateBudget,
      nullable: true,
      description: 'What its uses may add up to.',
      resolve: ({ terms }) => terms?.budget ?? null,
    }),
    spent: t.float({
      nullable: true,
      description: 'What its uses add up to so far; null without a budget.',
      resolve: ({ terms, spent }) => (terms?.budget ? spent : null),
    }),
    validFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it begins; null for as soon as it is granted.',
      resolve: ({ terms }) => momentOf(terms?.validFrom),
    }),
    validUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The last moment at which it approves calls.',
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
    eventId: t.exposeID('eventId', { description: 'The decision event that grants it.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
  }),
});

const MandateRemainder = builder.objectRef<UsedMandate['remaining']>('MandateRemainder').implement({
  description: 'What is left of a mandate.',
  fields: (t) => ({
    uses: t.exposeInt('uses', { nullable: true, description: 'Further uses; null without a limit.' }),
    budget: t.exposeFloat('budget', { nullable: true, description: 'Of the budget; null without one.' }),
  }),
});

export const MandateUse = builder.objectRef<UsedMandate>('MandateUse').implement({
  description: 'The use of a mandate by a decision, as it was sealed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the mandate that approved.' }),
    eventId: t.exposeID('eventId', { description: 'The decision event that grants it.' }),
    use: t.exposeInt('use', { description: 'The number of this use, from 1.' }),
    spent: t.float({
      nullable: true,
      description: 'What the uses add up to after this one; null without a budget.',
      resolve: ({ spent }) => spent ?? null,
    }),
    remaining: t.expose('remaining', {
      type: MandateRemainder,
      description: 'What was left after this use.',
    }),
  }),
});

const Requested = builder.objectRef<RequestedMandate>('RequestedMandate').implement({
  description: 'A mandate that waits to be granted.',
  fields: (t) => ({
    mandateId: t.exposeID('mandateId', { description: 'The id that it will have.' }),
    eventId: t.exposeID('eventId', { description: 'The decision event to approve.' }),
    status: t.expose('status', { type: MandateStatusRef, description: 'Always pending.' }),
  }),
});

const MandateAgentInput = builder.inputType('MandateAgentInput', {
  description: 'The agent that a mandate is for.',
  fields: (t) => ({ id: t.string({ required: true, description: 'Its id, as its calls name it.' }) }),
});

const MandateBudgetInput = builder.inputType('MandateBudgetInput', {
  description: 'What the uses of a mandate may add up to.',
  fields: (t) => ({
    member: t.string({
      required: true,
      description: 'The path to a number in the input of each call, such as `order.amount`.',
    }),
    limit: t.float({ required: true, description: 'The most that the numbers may add up to.' }),
  }),
});

const RequestMandateInput = builder
  .inputType('RequestMandateInput', {
    description: 'The terms of a mandate.',
    fields: (t) => ({
      agent: t.field({ type: MandateAgentInput, required: true, description: 'The agent that it is for.' }),
      actionPattern: t.string({
        required: true,
        description: 'A type of action, or a prefix that ends in `.*`.',
      }),
      condition: t.string({
        description: 'A CEL expression over `input` and `riskScore` that must give true.',
      }),
      maxUses: t.int({ description: 'How many calls it approves at most.' }),
      budget: t.field({ type: MandateBudgetInput, description: 'What its uses may add up to.' }),
      validFrom: t.field({
        type: 'DateTime',
        description: 'When it begins; as soon as it is granted when left out.',
      }),
      validUntil: t.field({
        type: 'DateTime',
        required: true,
        description: 'When it ends, at most 366 days from now.',
      }),
      reason: t.string({ required: true, description: 'Why, for those who approve it.' }),
    }),
  })
  .validate(requestMandateInput);

const RevokeMandateInput = builder
  .inputType('RevokeMandateInput', {
    description: 'Which mandate to revoke, and why.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the mandate to revoke.' }),
      reason: t.string({ description: 'Why it is revoked, for the record.' }),
    }),
  })
  .validate(revokeMandateInput);

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
    authScopes: reading,
    resolve: (_, args, ctx) => connectionById('mnd', args, (window) => listMandates(ctx, window)),
  }),
}));

builder.mutationFields((t) => ({
  requestMandate: t.field({
    type: Requested,
    description: 'Requests a mandate: records the decision that grants it once a human approves.',
    authScopes: changing,
    args: {
      input: t.arg({ type: RequestMandateInput, required: true, description: 'The terms of the mandate.' }),
    },
    resolve: (_, { input }, ctx) => requestMandate(ctx, input),
  }),
  revokeMandate: t.field({
    type: Mandate,
    description: 'Ends a mandate at once; decisions that it approved stay sealed.',
    authScopes: changing,
    args: {
      input: t.arg({ type: RevokeMandateInput, required: true, description: 'Which mandate, and why.' }),
    },
    resolve: (_, { input: { id, reason } }, ctx) => revokeMandate(ctx, String(id), reason),
  }),
}));
