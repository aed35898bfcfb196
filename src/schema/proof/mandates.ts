import { isMandateGrant } from '@countersign/proof-kit/guards';
import type { RequestContext } from '../../api/request-context.ts';
import { grantProblemsById } from '../../domain/decisions/approve/grant-approvers.ts';
import type { UsedMandate } from '../../domain/decisions/approve/seal-under-mandate.ts';
import { effectsOf } from '../../domain/decisions/mandates/effect.ts';
import { type MandateKey, mandateKeysOf } from '../../domain/decisions/mandates/mandate-keys.ts';
import {
  getMandate,
  listMandates,
  type MandateStatus,
  type MandateView,
  mandatesOfEvents,
  type RequestedMandate,
  requestMandate,
  revokeMandate,
  usesOfMandate,
} from '../../domain/decisions/mandates/mandates.ts';
import type { UnusedMandate as Unused } from '../../domain/decisions/mandates/not-used.ts';
import {
  type MandateTerms,
  requestMandateInput,
  revokeMandateInput,
} from '../../domain/decisions/mandates/terms.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

const reading = { access: { roles: ['ADMIN'], apiKey: 'proof:read' } } as const;
const changing = { access: { roles: ['ADMIN'], apiKey: 'proof:write' } } as const;

const MOST_USES = 100;

const MandateStatusRef = enumType<MandateStatus>('MandateStatus', 'Whether a mandate approves calls.', {
  pending: 'The granting decision waits for an approval.',
  active: 'It approves calls within its limits.',
  exhausted: 'No uses or no budget are left.',
  expired: 'The time until which it was valid has passed.',
  revoked: 'It was revoked, or its terms were erased. It approves nothing any more.',
  rejected: 'The granting decision was rejected, withdrawn or expired.',
});

const MandateAgent = builder.objectRef<MandateTerms['agent']>('MandateAgent').implement({
  description: 'The one agent whose calls a mandate approves.',
  fields: onlyProperties({ id: ['String', 'The id of the agent, as in its calls.'] }),
});

const MandateBudget = builder.objectRef<NonNullable<MandateTerms['budget']>>('MandateBudget').implement({
  description: 'How much the calls under a mandate may spend together.',
  fields: onlyProperties({
    member: ['String', 'The path to a number in the input of each call, with dots between names.'],
    limit: ['Float', 'What the calls may spend together, in the unit of that number.'],
  }),
});

const effectOf = makeLoader(effectsOf);
const grantProblemOf = makeLoader(grantProblemsById);
const problemOf = async (ctx: RequestContext, eventId: string) =>
  (await grantProblemOf(ctx, eventId)) ?? null;

const APPROVAL_PROBLEM =
  'Why the present members cannot approve the request, in a sentence; null if they can.';

const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

const keyOf = makeLoader(mandateKeysOf);

const MandateKeyRef = builder.objectRef<MandateKey>('MandateKey').implement({
  description: 'An API key that may use a mandate.',
  fields: onlyProperties({
    id: ['ID', 'The id of the API key, `key_…`.'],
    name: ['String', 'The name that people see.'],
    publicId: ['String', 'The public part of the key: the 8 characters after `csk_`.'],
    usable: ['Boolean', 'False once it has expired or was revoked.'],
  }),
});

const Mandate = builder.objectRef<MandateView>('Mandate').implement({
  description:
    'An approval for a class of calls of one agent. Its terms are null once they are erased from the granting decision.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the mandate, `mnd_…`, which sealed decisions refer to.'],
      status: [MandateStatusRef, 'Whether it approves calls.'],
      used: ['Int', 'How many calls it has approved.'],
      eventId: ['ID', 'The id of the decision event that grants it, `evt_…`.'],
      revokedAt: ['DateTime?', 'When it was revoked, in UTC; null if it was not.'],
      createdAt: ['DateTime', 'When the mandate was requested, in UTC.'],
    }),
    agent: t.field({
      type: MandateAgent,
      nullable: true,
      description: 'The one agent whose calls it approves.',
      resolve: ({ terms }) => terms?.agent ?? null,
    }),
    keys: t.field({
      type: ['ID'],
      nullable: true,
      description:
        'The ids of the API keys that may use it. Empty if it was requested before mandates had keys and no key may use it.',
      resolve: ({ terms, keys }) => terms && keys,
    }),
    apiKeys: t.field({
      type: [MandateKeyRef],
      description: 'The API keys that may use it, by name. Empty like `keys`, or once the terms are erased.',
      resolve: async ({ terms, keys }, _, ctx) => {
        const found = await Promise.all((terms ? keys : []).map((id) => keyOf(ctx, id)));
        return found.flatMap((key) => key ?? []);
      },
    }),
    actionPattern: t.string({
      nullable: true,
      description: 'The action types that it covers: a type, or a prefix that ends in `.*`.',
      resolve: ({ terms }) => terms?.actionPattern ?? null,
    }),
    condition: t.string({
      nullable: true,
      description:
        'A CEL expression over `input` and `riskScore` that must give true; null without a condition.',
      resolve: ({ terms }) => terms?.condition ?? null,
    }),
    maxUses: t.int({
      nullable: true,
      description: 'How many calls it approves in all; null without a limit.',
      resolve: ({ terms }) => terms?.maxUses ?? null,
    }),
    budget: t.field({
      type: MandateBudget,
      nullable: true,
      description: 'How much the calls may spend together; null without a limit.',
      resolve: ({ terms }) => terms?.budget ?? null,
    }),
    spent: t.float({
      nullable: true,
      description: 'What its calls have spent so far; null without a budget.',
      resolve: ({ terms, spent }) => (terms?.budget ? spent : null),
    }),
    validFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it begins to approve calls, in UTC; null for as soon as it is granted.',
      resolve: ({ terms }) => momentOf(terms?.validFrom),
    }),
    validUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it stops approving calls, in UTC.',
      resolve: ({ terms }) => momentOf(terms?.validUntil),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why it was requested, for the approvers.',
      resolve: ({ terms }) => terms?.reason ?? null,
    }),
    lifts: t.stringList({
      description:
        'What it replaces under the policies in force now, in sentences that name the policies; also for which of its actions it cannot be used. Empty unless it is pending or active.',
      resolve: async (mandate, _, ctx) => (await effectOf(ctx, mandate))?.lifts ?? [],
    }),
    notUsed: t.string({
      nullable: true,
      description:
        'Why it approves no call at present although it is active: the policies in force, its keys, or the time from which it is valid. Null if it can be used.',
      resolve: async (mandate, _, ctx) => (await effectOf(ctx, mandate))?.notUsed ?? null,
    }),
    approvalProblem: t.string({
      nullable: true,
      description: `${APPROVAL_PROBLEM} Null unless it is pending.`,
      resolve: async ({ eventId, status }, _, ctx) =>
        status === 'pending' ? await problemOf(ctx, eventId) : null,
    }),
    uses: t.field({
      type: [DecisionEvent],
      complexity: { field: 20, multiplier: 5 },
      description: 'The decisions that it approved, newest first.',
      args: {
        first: t.arg.int({ defaultValue: 20, description: 'How many decisions to return, at most 100.' }),
      },
      resolve: ({ id }, { first }, ctx) =>
        usesOfMandate(ctx, id, Math.min(Math.max(first ?? 20, 0), MOST_USES)),
    }),
  }),
});

const MandateRemainder = builder.objectRef<UsedMandate['remaining']>('MandateRemainder').implement({
  description: 'What is left of a mandate after a use.',
  fields: onlyProperties({
    uses: ['Int?', 'How many calls it can still approve; null without a limit.'],
    budget: ['Float?', 'How much its calls can still spend; null without a budget.'],
  }),
});

export const MandateUse = builder.objectRef<UsedMandate>('MandateUse').implement({
  description: 'How a mandate approved one call.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the mandate, `mnd_…`.'],
      eventId: ['ID', 'The id of the decision event that grants it, `evt_…`.'],
      use: ['Int', 'The number of this use of the mandate, from 1.'],
      remaining: [MandateRemainder, 'What is left of the mandate after this use.'],
    }),
    spent: t.float({
      nullable: true,
      description: 'What its calls have spent with this use; null without a budget.',
      resolve: ({ spent }) => spent ?? null,
    }),
  }),
});

export const UnusedMandate = builder.objectRef<Unused>('UnusedMandate').implement({
  description: 'A mandate that matches a call but did not approve it.',
  fields: onlyProperties({
    id: ['ID', 'The id of the mandate, `mnd_…`.'],
    notUsed: ['String', 'Why it was not used: one of a fixed set of sentences.'],
  }),
});

const Requested = builder.objectRef<RequestedMandate>('RequestedMandate').implement({
  description: 'A mandate that waits for its approval.',
  fields: onlyProperties({
    mandateId: ['ID', 'The id of the mandate, `mnd_…`.'],
    eventId: ['ID', 'The id of the decision event to approve, `evt_…`.'],
    status: [MandateStatusRef, 'Always `pending`: a person has to approve it.'],
  }),
});

builder.objectField(Requested, 'approvalProblem', (t) =>
  t.string({
    nullable: true,
    description: APPROVAL_PROBLEM,
    resolve: ({ eventId }, _, ctx) => problemOf(ctx, eventId),
  }),
);

const MandateRequest = builder.objectRef<MandateView>('MandateRequest').implement({
  description: 'The mandate that a pending decision would grant, for its approvers.',
  fields: (t) => ({
    mandateId: t.exposeID('id', { description: 'The id of the mandate, `mnd_…`.' }),
    lifts: t.stringList({
      description:
        'What it would replace under the policies in force now, in sentences that name the policies; also for which of its actions it could not be used.',
      resolve: async (mandate, _, ctx) => (await effectOf(ctx, mandate))?.lifts ?? [],
    }),
    approvalProblem: t.string({
      nullable: true,
      description: APPROVAL_PROBLEM,
      resolve: ({ eventId }, _, ctx) => problemOf(ctx, eventId),
    }),
  }),
});

const mandateOfEvent = makeLoader(mandatesOfEvents);

builder.objectField(DecisionEvent, 'mandateRequest', (t) =>
  t.field({
    type: MandateRequest,
    nullable: true,
    description:
      'What the decision would grant, if it requests a mandate and is pending. Null for all other decisions.',
    resolve: async ({ id, head }, _, ctx) => {
      if (!isMandateGrant(head.type, head.action.type)) return null;
      const mandate = await mandateOfEvent(ctx, id);
      return mandate?.status === 'pending' ? mandate : null;
    },
  }),
);

const MandateAgentInput = nestedInput('MandateAgentInput', requestMandateInput.shape.agent, {
  description: 'The one agent whose calls a mandate approves.',
});

export const MandateBudgetInput = nestedInput('MandateBudgetInput', requestMandateInput.shape.budget, {
  description: 'How much the calls under a mandate may spend together.',
});

const RequestMandateInput = inputType('RequestMandateInput', requestMandateInput, {
  description: 'Which calls of which agent to approve in advance, within which limits.',
  types: { agent: MandateAgentInput, budget: MandateBudgetInput, keys: 'ID' },
});

const RevokeMandateInput = inputType('RevokeMandateInput', revokeMandateInput, {
  description: 'A mandate that approves nothing from now on.',
  types: { id: 'ID' },
});

builder.queryFields((t) => ({
  mandate: t.field({
    type: Mandate,
    description: 'A mandate of the center.',
    authScopes: reading,
    args: { id: t.arg.id({ required: true, description: 'The id of the mandate, `mnd_…`.' }) },
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
    args: inputArg(
      RequestMandateInput,
      'Which calls of which agent to approve in advance, within which limits.',
    ),
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
