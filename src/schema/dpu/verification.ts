import { createContextCache } from '@pothos/core';
import type { RequestContext } from '../../api/request-context.ts';
import type { AcceptedLoss } from '../../domain/ledger/verify/losses.ts';
import type { ChainReport } from '../../domain/ledger/verify/walk.ts';
import type { CenterReport } from '../../domain/proof/verify/center.ts';
import { comparedTables, type Difference } from '../../domain/proof/verify/differences/difference.ts';
import {
  type CenterProgress,
  type RecordReport,
  verifyCenter,
  verifyCenterSteps,
  verifyDpu,
} from '../../domain/proof/verify/verify.ts';
import { builder } from '../builder.ts';
import { VERIFICATION_COST } from '../request-cost.ts';
import { dpuWriters } from './dpu.ts';

export { comparedTables };

const genesisHash = {
  nullable: true,
  description: 'The hash of the first record; null without one.',
} as const;
const brokenAt = { nullable: true, description: 'The first bad index; null when all is intact.' } as const;

const DpuVerification = builder.objectRef<RecordReport>('DpuVerification').implement({
  description: 'What a walk from genesis to a record found.',
  fields: (t) => ({
    valid: t.exposeBoolean('valid', { description: 'Whether everything is intact.' }),
    chainLength: t.exposeInt('chainLength', { description: 'Records from genesis to this one.' }),
    genesisHash: t.exposeString('genesisHash', genesisHash),
    brokenAt: t.exposeInt('brokenAt', brokenAt),
  }),
});

const ChainVerification = builder.objectRef<ChainReport>('ChainVerification').implement({
  description: 'What a walk over a whole chain found.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'Which of the chains was walked.' }),
    valid: t.exposeBoolean('valid', { description: 'Whether everything is intact.' }),
    chainLength: t.exposeInt('chainLength', { description: 'How many records it has.' }),
    genesisHash: t.exposeString('genesisHash', genesisHash),
    headHash: t.exposeString('headHash', { nullable: true, description: 'The hash of the last record.' }),
    brokenAt: t.exposeInt('brokenAt', brokenAt),
  }),
});

const RowDifference = builder.objectRef<Difference>('RowDifference').implement({
  description: 'A row that people see and that is not what was sealed.',
  fields: (t) => ({
    table: t.exposeString('table', {
      description: `Which table: ${comparedTables.join(', ')}.`,
    }),
    id: t.exposeString('id', {
      description:
        'The id of the row; of a version that of its policy, of a record its place such as `journal/12`.',
    }),
    chain: t.exposeString('chain', {
      description: "The chain that says otherwise; `0/journal` is the platform's own journal.",
    }),
    index: t.exposeInt('index', {
      nullable: true,
      description: 'The record that says otherwise; null where none speaks of the row at all.',
    }),
    member: t.exposeString('member', {
      nullable: true,
      description:
        'What differs; null where the whole row is missing, or should not be there. `policy`: the decision was not sealed under the policies in force. `erased`: an erased member is there again. `time`: the times of the chain run backwards. `passkey`: the key is not registered on the audit chain.',
    }),
  }),
});

const AcceptedLossType = builder.objectRef<AcceptedLoss>('AcceptedLoss').implement({
  description: 'Signed records that were lost and whose loss an administrator accepted.',
  fields: (t) => ({
    chain: t.exposeString('chain', { description: 'The origin of the chain.' }),
    signedSize: t.exposeInt('signedSize', { description: 'How many records were signed.' }),
    presentSize: t.exposeInt('presentSize', { description: 'How many of them were there.' }),
    reason: t.exposeString('reason', { description: 'Why the loss was accepted.' }),
    index: t.exposeInt('index', { description: 'The place of the record on the journal.' }),
    at: t.exposeString('at', { description: 'When it was accepted.' }),
  }),
});

const CenterVerification = builder.objectRef<CenterReport>('CenterVerification').implement({
  description: 'What a walk over all chains of the center found.',
  fields: (t) => ({
    valid: t.exposeBoolean('valid', {
      description: 'Whether every chain is intact and every row what was sealed.',
    }),
    chainLength: t.exposeInt('chainLength', { description: 'Records of all chains together.' }),
    genesisHash: t.exposeString('genesisHash', {
      nullable: true,
      description: 'The hash of the first record of the platform chain.',
    }),
    brokenAt: t.exposeInt('brokenAt', {
      nullable: true,
      description: 'The first bad index of the first broken chain; null when all are intact.',
    }),
    chains: t.expose('chains', { type: [ChainVerification], description: 'Each chain by itself.' }),
    differences: t.expose('differences', {
      type: [RowDifference],
      description: 'The rows that are not what was sealed, at most 100.',
    }),
    losses: t.expose('losses', {
      type: [AcceptedLossType],
      description: 'Losses of signed records that were accepted, newest first, at most 100.',
    }),
  }),
});

const VerificationProgress = builder.objectRef<CenterProgress>('VerificationProgress').implement({
  description: 'How far a verification has come.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The chain it is at.' }),
    checked: t.exposeInt('checked', { description: 'Records looked at so far.' }),
    total: t.exposeInt('total', { description: 'Records to look at.' }),
    result: t.expose('result', {
      type: CenterVerification,
      nullable: true,
      description: 'What was found, in the last message; null before.',
    }),
  }),
});

/** A request walks the chains once, under however many names it asks for the verdict. */
const verifiedCenter = createContextCache((ctx: RequestContext) => verifyCenter(ctx));

builder.queryFields((t) => ({
  verifyDpu: t.field({
    extensions: { cost: VERIFICATION_COST },
    type: DpuVerification,
    description: 'Recomputes the chain of a decision proof unit from genesis to its record.',
    authScopes: { access: dpuWriters },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    // Each walks from genesis on: a query holds a few of them, not thirty.
    complexity: 2_000,
    resolve: (_, { id }, ctx) => verifyDpu(ctx, id),
  }),
  verifyChain: t.field({
    extensions: { cost: VERIFICATION_COST },
    type: CenterVerification,
    description: 'Recomputes every chain of the center.',
    authScopes: { access: dpuWriters },
    resolve: (_, __, ctx) => verifiedCenter(ctx),
  }),
}));

builder.subscriptionField('verifyChain', (t) =>
  t.field({
    extensions: { cost: VERIFICATION_COST },
    type: VerificationProgress,
    description:
      'Recomputes every chain of the center and tells how far it has come, for chains that take a while.',
    authScopes: { access: dpuWriters },
    subscribe: (_, __, ctx) => verifyCenterSteps(ctx),
    resolve: (progress) => progress,
  }),
);
