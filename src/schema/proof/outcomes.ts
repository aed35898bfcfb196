import { OutcomeStatus as outcomeStatuses } from '../../db/generated/prisma/enums.ts';
import { type ClaimView, claimDecision, claimsOf } from '../../domain/proof/claim.ts';
import { outcomeInput } from '../../domain/proof/input.ts';
import {
  argumentsDigestOf,
  type OutcomeView,
  outcomesOf,
  reportOutcome,
} from '../../domain/proof/outcome.ts';
import { journalReceipts, recordingReceipts } from '../../domain/proof/receipts.ts';
import { withdrawDecision } from '../../domain/proof/system-rejection.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { DecisionEvent } from './decision-event.ts';

const OutcomeStatus = builder.enumType('OutcomeStatus', {
  description: 'Whether what was decided was done.',
  values: {
    executed: { value: outcomeStatuses.executed, description: 'It was carried out.' },
    failed: { value: outcomeStatuses.failed, description: 'It was tried and did not succeed.' },
  },
});

const Outcome = builder.objectRef<OutcomeView>('DecisionOutcome').implement({
  description: 'What became of a sealed decision when it was carried out.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The decision event that was carried out.' }),
    status: t.expose('status', { type: OutcomeStatus, description: 'Whether it succeeded.' }),
    output: t.expose('output', {
      type: 'JSON',
      nullable: true,
      description: 'What came out of it, if reported.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was reported.' }),
    journalIndex: t.exposeInt('journalIndex', {
      description: "The place of its entry on the center's journal, from 0.",
    }),
  }),
});

const receiptOfEntry = loadTogether(journalReceipts);
const receiptOfRecording = loadTogether(recordingReceipts);
const claimOf = loadTogether(claimsOf);
const RECEIPT =
  "A signed note with the place of the record on its chain: the service's word that it is kept. Null while nothing is signed.";

builder.objectField(Outcome, 'receipt', (t) =>
  t.string({
    nullable: true,
    description: RECEIPT,
    resolve: async ({ journalIndex }, _, ctx) => (await receiptOfEntry(ctx, journalIndex)) ?? null,
  }),
);

const Claim = builder.objectRef<ClaimView>('DecisionClaim').implement({
  description: 'The announcement that a sealed decision is about to be carried out.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The decision event.' }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', description: 'When it was claimed.' }),
    receipt: t.string({
      nullable: true,
      description: RECEIPT,
      resolve: async ({ place: { index } }, _, ctx) => (await receiptOfEntry(ctx, index)) ?? null,
    }),
  }),
});

const outcomeOf = loadTogether(outcomesOf);

builder.objectFields(DecisionEvent, (t) => ({
  expiresAt: t.expose('expiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When waiting for an approval ends in rejection; null where it never does.',
  }),
  argumentsDigest: t.string({
    description:
      'SHA-256, as hex digits, of the canonical input: the very arguments that are decided on. Empty once they are erased.',
    resolve: ({ action, erased }) => (erased?.['action.input'] ? '' : argumentsDigestOf(action.input)),
  }),
  claimedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the caller that asked announced that it carries the decision out; null until then.',
    resolve: async ({ id, status }, _, ctx) =>
      status === 'sealed' ? ((await claimOf(ctx, id)) ?? null) : null,
  }),
  receipt: t.string({
    nullable: true,
    description: RECEIPT,
    resolve: async (event, _, ctx) => (await receiptOfRecording(ctx, event)) ?? null,
  }),
  outcome: t.field({
    type: Outcome,
    nullable: true,
    description: 'What became of it when it was carried out; null until that is reported.',
    resolve: async ({ id, status }, _, ctx) =>
      status === 'sealed' ? ((await outcomeOf(ctx, id)) ?? null) : null,
  }),
}));

const ReportOutcomeInput = builder
  .inputType('ReportOutcomeInput', {
    description: 'What became of a sealed decision.',
    fields: (t) => ({
      status: t.field({ type: OutcomeStatus, required: true, description: 'Whether it succeeded.' }),
      argumentsDigest: t.string({
        required: true,
        description: '`sha256:` and the digest of the arguments that it was carried out with.',
      }),
      output: t.field({ type: 'JSON', description: 'What came out of it, as an object.' }),
    }),
  })
  .validate(outcomeInput);

builder.mutationFields((t) => ({
  reportOutcome: t.field({
    type: Outcome,
    description:
      'Records what became of a sealed decision, once, for the very arguments that were decided on.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: {
      eventId: t.arg.id({ required: true, description: 'The sealed decision event.' }),
      input: t.arg({ type: ReportOutcomeInput, required: true, description: 'What became of it.' }),
    },
    resolve: (_, { eventId, input }, ctx) => reportOutcome(ctx, String(eventId), input),
  }),
  claimDecision: t.field({
    type: Claim,
    description:
      'Announces that you are about to carry a sealed decision out: once for each, by the API key that asked for it.',
    authScopes: { access: { apiKey: 'proof:write', requester: true } },
    args: { eventId: t.arg.id({ required: true, description: 'The sealed decision event.' }) },
    resolve: (_, { eventId }, ctx) => claimDecision(ctx, String(eventId)),
  }),
  withdrawDecision: t.field({
    type: DecisionEvent,
    description: 'Takes back a decision that still waits for approval: the service rejects it as withdrawn.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', requester: true } },
    args: { eventId: t.arg.id({ required: true, description: 'The decision event that waits.' }) },
    resolve: (_, { eventId }, ctx) => withdrawDecision(ctx, String(eventId)),
  }),
}));
