import { withdrawDecision } from '../../domain/decisions/approve/system-rejection.ts';
import { type ClaimView, claimDecision, claimsOf } from '../../domain/decisions/execute/claim.ts';
import {
  argumentsDigestsOf,
  type OutcomeView,
  outcomesOf,
  outputsOf,
  reportOutcome,
} from '../../domain/decisions/execute/outcome.ts';
import { outcomeInput } from '../../domain/decisions/input.ts';
import { journalPlaces, journalReceipt, placesOfRecordings } from '../../domain/decisions/prove/receipts.ts';
import type { DecisionEventView } from '../../domain/decisions/row.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { DecisionEvent } from './decision-event.ts';

const OutcomeStatus = enumType<OutcomeView['status']>('OutcomeStatus', 'The outcome of a decision.', {
  executed: 'Executed.',
  failed: 'Failed.',
});

const outputOf = makeLoader(outputsOf);

const Outcome = builder.objectRef<OutcomeView>('DecisionOutcome').implement({
  description: 'The outcome of a sealed decision.',
  fields: (t) => ({
    ...properties(t, {
      eventId: ['ID', 'The executed decision event.'],
      status: [OutcomeStatus, 'Whether it succeeded.'],
      recordedAt: ['DateTime', 'When it was reported.'],
      journalIndex: ['Int', "The index of its entry on the center's journal, from 0."],
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The output, if reported.',
      resolve: async ({ eventId, output }, _, ctx) =>
        output === undefined ? await outputOf(ctx, eventId) : output,
    }),
  }),
});

const placeOfEntry = makeLoader(journalPlaces);
const placeOfRecording = makeLoader(placesOfRecordings);
const claimOf = makeLoader(claimsOf);
const RECEIPT = "A signed receipt with the record's position on its chain. Null if signing is unavailable.";

builder.objectField(Outcome, 'receipt', (t) =>
  t.string({
    nullable: true,
    description: RECEIPT,
    resolve: async ({ eventId, journalIndex }, _, ctx) =>
      journalReceipt(ctx, 'outcome', eventId, await placeOfEntry(ctx, journalIndex)),
  }),
);

const Claim = builder.objectRef<ClaimView>('DecisionClaim').implement({
  description: 'A claim: the caller is about to execute a sealed decision.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The decision event.' }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', description: 'When it was claimed.' }),
    receipt: t.string({
      nullable: true,
      description: RECEIPT,
      resolve: ({ eventId, place }, _, ctx) => journalReceipt(ctx, 'claimed', eventId, place),
    }),
  }),
});

const outcomeOf = makeLoader(outcomesOf);
const argumentsDigestOfOne = makeLoader(argumentsDigestsOf);

/** A decision that this request itself recorded is neither claimed nor reported yet. */
const mayBeExecuted = ({ status, entry }: DecisionEventView) => status === 'sealed' && entry === null;

builder.objectFields(DecisionEvent, (t) => ({
  ...properties(t, {
    expiresAt: ['DateTime?', 'When the decision is rejected if it has not been approved, or null.'],
  }),
  argumentsDigest: t.string({
    description:
      'SHA-256 in hex of the canonical input, that is, of the exact arguments. Empty after erasure.',
    resolve: async (event, _, ctx) =>
      event.erased?.['action.input'] ? '' : ((await argumentsDigestOfOne(ctx, event)) ?? ''),
  }),
  claimedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the requester claimed the decision for execution, or null.',
    resolve: async (event, _, ctx) =>
      mayBeExecuted(event) ? ((await claimOf(ctx, event.id)) ?? null) : null,
  }),
  receipt: t.string({
    nullable: true,
    description: RECEIPT,
    resolve: async ({ id, entry }, _, ctx) =>
      journalReceipt(ctx, 'recorded', id, entry ?? (await placeOfRecording(ctx, id))),
  }),
  outcome: t.field({
    type: Outcome,
    nullable: true,
    description: 'The reported outcome, or null.',
    resolve: async (event, _, ctx) =>
      mayBeExecuted(event) ? ((await outcomeOf(ctx, event.id)) ?? null) : null,
  }),
}));

const ReportOutcomeInput = inputType('ReportOutcomeInput', outcomeInput, {
  description: 'The outcome of a sealed decision.',
  types: { status: OutcomeStatus },
  descriptions: {
    status: 'Whether it succeeded.',
    argumentsDigest: '`sha256:` followed by the digest of the executed arguments.',
    output: 'The output, an object.',
  },
});

builder.mutationFields((t) => ({
  reportOutcome: t.field({
    type: Outcome,
    description:
      'Reports the outcome of a sealed decision, once, for the exact arguments that were approved.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The sealed decision event.' }),
      ...inputArg(ReportOutcomeInput, 'The outcome.'),
    },
    resolve: (_, { eventId, input }, ctx) => reportOutcome(ctx, String(eventId), input),
  }),
  claimDecision: t.field({
    type: Claim,
    description:
      'Claims a sealed decision for execution. Possible once, by the API key that requested the decision.',
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: { eventId: t.arg.id({ required: true, description: 'The sealed decision event.' }) },
    resolve: (_, { eventId }, ctx) => claimDecision(ctx, String(eventId)),
  }),
  withdrawDecision: t.field({
    type: DecisionEvent,
    description: 'Withdraws a pending decision. It is rejected as withdrawn.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: { eventId: t.arg.id({ required: true, description: 'The pending decision event.' }) },
    resolve: (_, { eventId }, ctx) => withdrawDecision(ctx, String(eventId)),
  }),
}));
