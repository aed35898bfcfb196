import { withdrawDecision } from '../../domain/decisions/approve/system-rejection.ts';
import { type ClaimView, claimDecision, claimsOf } from '../../domain/decisions/execute/claim.ts';
import {
  argumentsDigestOf,
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

const OutcomeStatus = enumType<OutcomeView['status']>(
  'OutcomeStatus',
  'Whether a decision was carried out.',
  {
    executed: 'The action was carried out as approved.',
    failed: 'The action was tried and failed.',
  },
);

const outputOf = makeLoader(outputsOf);

export const Outcome = builder.objectRef<OutcomeView>('DecisionOutcome').implement({
  description: 'What became of a sealed decision, as its requester reported it.',
  fields: (t) => ({
    ...properties(t, {
      eventId: ['ID', 'The id of the decision event, `evt_…`.'],
      status: [OutcomeStatus, 'Whether the action was executed or failed.'],
      recordedAt: ['DateTime', 'When the outcome was reported, in UTC.'],
      journalIndex: ['Int', "The index of its entry on the center's journal, from 0."],
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the action gave; null if it was not reported, or was erased.',
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
    eventId: t.exposeID('eventId', { description: 'The id of the decision event, `evt_…`.' }),
    claimedAt: t.expose('claimedAt', {
      type: 'DateTime',
      description: 'When the decision was claimed, in UTC.',
    }),
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
    expiresAt: [
      'DateTime?',
      'When the decision is rejected unless it is approved before, in UTC; null for never.',
    ],
  }),
  argumentsDigest: t.string({
    description:
      'SHA-256 in hex of the canonical input, that is, of the exact arguments. Empty after erasure.',
    resolve: (event, _, ctx) => {
      if (event.erased?.['action.input']) return '';
      if (event.content) return argumentsDigestOf(event.content.action.input);
      return argumentsDigestOfOne(ctx, event).then((digest) => digest ?? '');
    },
  }),
  claimedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the requester claimed the decision for execution, in UTC; null until then.',
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
    description: 'What became of the decision, as its requester reported it; null until then.',
    resolve: async (event, _, ctx) =>
      mayBeExecuted(event) ? ((await outcomeOf(ctx, event.id)) ?? null) : null,
  }),
}));

const ReportOutcomeInput = inputType('ReportOutcomeInput', outcomeInput, {
  description: 'What became of a sealed decision.',
  types: { status: OutcomeStatus },
});

builder.mutationFields((t) => ({
  reportOutcome: t.field({
    type: Outcome,
    description:
      'Reports the outcome of a sealed decision, once, for the exact arguments that were approved.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The id of the sealed decision event, `evt_…`.' }),
      ...inputArg(ReportOutcomeInput, 'Whether the action was executed, and with which arguments.'),
    },
    resolve: (_, { eventId, input }, ctx) => reportOutcome(ctx, String(eventId), input),
  }),
  claimDecision: t.field({
    type: Claim,
    description:
      'Claims a sealed decision for execution. Possible once, by the API key that requested the decision.',
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The id of the sealed decision event, `evt_…`.' }),
    },
    resolve: (_, { eventId }, ctx) => claimDecision(ctx, String(eventId)),
  }),
  withdrawDecision: t.field({
    type: DecisionEvent,
    description: 'Withdraws a pending decision. It is rejected as withdrawn.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The id of the pending decision event, `evt_…`.' }),
    },
    resolve: (_, { eventId }, ctx) => withdrawDecision(ctx, String(eventId)),
  }),
}));
