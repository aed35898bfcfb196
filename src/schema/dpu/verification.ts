import { createContextCache } from '@pothos/core';
import type { RequestContext } from '../../api/request-context.ts';
import type { CenterReport } from '../../domain/decisions/prove/verify/center.ts';
import {
  comparedTables,
  type Difference,
} from '../../domain/decisions/prove/verify/differences/difference.ts';
import {
  type CenterProgress,
  type RecordReport,
  verifyCenter,
  verifyCenterSteps,
  verifyDpu,
} from '../../domain/decisions/prove/verify/verify.ts';
import type { AcceptedLoss } from '../../domain/ledger/recovery/losses.ts';
import type { ChainReport } from '../../domain/ledger/verify/walk.ts';
import { builder } from '../builder.ts';
import { onlyProperties, orNull } from '../exposed.ts';
import { VERIFICATION_COST } from '../request-cost.ts';
import { dpuWriters } from './dpu.ts';

const genesisHash = ['String?', 'The hash of the first record in hex; null if the chain is empty.'] as const;
const brokenAt = ['Int?', 'The index of the first record that does not match; null if all match.'] as const;

const DpuVerification = builder.objectRef<RecordReport>('DpuVerification').implement({
  description: 'The result of verifying a chain from genesis to a record.',
  fields: onlyProperties({
    valid: [
      'Boolean',
      'Whether all records up to this one match their hashes and the signed checkpoints, and its visible rows match it.',
    ],
    chainLength: ['Int', 'The number of records from genesis to this one.'],
    genesisHash,
    brokenAt,
  }),
});

const ChainVerification = builder.objectRef<ChainReport>('ChainVerification').implement({
  description: 'The result of verifying a chain.',
  fields: onlyProperties({
    domain: ['String', 'The name of the chain: platform, proof, audit or journal.'],
    valid: ['Boolean', 'Whether every record matches its hash, its predecessor and the signed checkpoints.'],
    chainLength: ['Int', 'The number of records found.'],
    genesisHash,
    headHash: ['String?', 'The hash of the last record in hex; null if the chain is empty.'],
    brokenAt,
  }),
});

const RowDifference = builder.objectRef<Difference>('RowDifference').implement({
  description: 'A row that differs from what was sealed.',
  fields: onlyProperties({
    table: ['String', `Which table: ${comparedTables.join(', ')}.`],
    id: [
      'String',
      'The id of the row; of a version that of its policy, of a record its place such as `journal/12`.',
    ],
    chain: ['String', 'The chain with the sealed record; `0/journal` is the journal of the platform.'],
    index: ['Int?', 'The index of the sealed record; null if there is none.'],
    member: [
      'String?',
      'What differs; null where the whole row is missing, or should not be there. `policy`, `credential`, `group`, `delegation`, `mandate`: the decision does not follow from what the journals hold about these. `erased`: an erased member is there again. `time`: the times of the chain run backwards. `passkey`: the key is not registered on the audit chain.',
    ],
  }),
});

const AcceptedLossType = builder.objectRef<AcceptedLoss>('AcceptedLoss').implement({
  description: 'Signed records that were lost and whose loss an administrator accepted.',
  fields: onlyProperties({
    chain: ['String', 'The origin of the chain or log, as in its signed notes.'],
    signedSize: ['Int', 'The number of records that a signed checkpoint covered.'],
    presentSize: ['Int', 'The number of records that were still there.'],
    reason: ['String', 'The reason that the administrator gave.'],
    index: ['Int', "The index of the statement on the center's journal, from 0."],
    at: ['String', 'When the loss was accepted, in ISO 8601 UTC with milliseconds.'],
  }),
});

const CenterVerification = builder.objectRef<CenterReport>('CenterVerification').implement({
  description: 'The result of verifying all chains of the center.',
  fields: onlyProperties({
    valid: ['Boolean', 'Whether every chain is valid and every row matches what was sealed.'],
    chainLength: ['Int', 'The number of records on all chains together.'],
    genesisHash: [
      'String?',
      'The hash of the first record of the platform chain in hex; null if it is empty.',
    ],
    brokenAt: ['Int?', 'The first invalid index of the first broken chain, or null if all are valid.'],
    chains: [[ChainVerification], 'The result of each chain.'],
    differences: [[RowDifference], 'Rows that differ from what was sealed, at most 100.'],
    losses: [[AcceptedLossType], 'Losses of signed records that were accepted, newest first, at most 100.'],
  }),
});

const VerificationProgress = builder.objectRef<CenterProgress>('VerificationProgress').implement({
  description: 'How far a verification has come.',
  fields: onlyProperties({
    domain: ['String', 'The name of the chain that is being verified: platform, proof, audit or journal.'],
    checked: ['Int', 'The number of records verified so far.'],
    total: ['Int', 'The number of records to verify.'],
    result: [orNull(CenterVerification), 'The result, in the last message only.'],
  }),
});

/** A request walks the chains once, however many aliases ask for the result. */
const verifiedCenter = createContextCache((ctx: RequestContext) => verifyCenter(ctx));

builder.queryFields((t) => ({
  verifyDpu: t.field({
    extensions: { cost: VERIFICATION_COST, fromReplica: true },
    type: DpuVerification,
    description: 'Verifies the chain of a decision proof unit from genesis to its record.',
    authScopes: { access: dpuWriters },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit, `dpu_…`.' }) },
    // Each one starts at genesis, so a query may contain only a few.
    complexity: 2_000,
    resolve: (_, { id }, ctx) => verifyDpu(ctx, id),
  }),
  verifyChain: t.field({
    extensions: { cost: VERIFICATION_COST, fromReplica: true },
    type: CenterVerification,
    description: 'Verifies every chain of the center.',
    authScopes: { access: dpuWriters },
    resolve: (_, __, ctx) => verifiedCenter(ctx),
  }),
}));

builder.subscriptionField('verifyChain', (t) =>
  t.field({
    extensions: { cost: VERIFICATION_COST, fromReplica: true },
    type: VerificationProgress,
    description: 'Verifies every chain of the center and reports progress.',
    authScopes: { access: dpuWriters },
    subscribe: (_, __, ctx) => verifyCenterSteps(ctx),
    resolve: (progress) => progress,
  }),
);
