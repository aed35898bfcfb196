import { exportDocument } from '../../domain/decisions/prove/export/export.ts';
import { exportFromReplica } from '../../domain/decisions/prove/export/from-replica.ts';
import { exportDecision } from '../../domain/decisions/prove/export/rejection.ts';
import {
  type Evidence,
  getEvidence,
  getProofState,
  type ProofState,
} from '../../domain/decisions/read/proof-state.ts';
import { builder } from '../builder.ts';
import { EvidenceStatus } from '../decision-enums.ts';
import { EvidenceLevel } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { EXPORT_COMPLEXITY, EXPORT_COST } from '../request-cost.ts';
import { ownReaders } from './decision-event.ts';

const ChainPlace = builder.objectRef<Evidence['chain']>('ChainPlace').implement({
  description: 'The position of a record on its chain.',
  fields: onlyProperties({
    hash: ['String', 'SHA-256 of content, previous hash and timestamp, in hex.'],
    previousHash: ['String?', 'The hash of the previous record; null for the first.'],
    index: ['Int', 'The index, from 0.'],
    domain: ['String', 'The domain of the chain.'],
  }),
});

const EvidenceRef = builder.objectRef<Evidence>('Evidence').implement({
  description: 'The proof of a sealed decision, read from the chain.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the evidence.'],
      eventId: ['ID', 'The decision event.'],
      dpuId: ['ID', 'The decision record.'],
      decisionId: ['String', "The caller's id of the decision."],
      status: [EvidenceStatus, 'Always `sealed`.'],
      evidenceLevel: [EvidenceLevel, 'Always AUDIT_READY.'],
      event: ['JSON', 'The decision exactly as sealed.'],
      approvals: ['[JSON]', 'All approvals, oldest first.'],
      policy: ['JSON', 'The policy it was sealed under, guard by guard.'],
      erased: ['[JSON]', 'Erased members, with time and reason.'],
      chain: [ChainPlace, 'The position on the chain.'],
      sealedAt: ['DateTime', 'When it was sealed.'],
      createdAt: ['DateTime', 'When the decision was recorded.'],
    }),
    approval: t.field({
      type: 'JSON',
      description: 'The last approval, which sealed the decision.',
      resolve: ({ approvals }) => approvals.at(-1),
    }),
  }),
});

const ProofStateRef = builder.objectRef<ProofState>('ProofState').implement({
  description: 'The status of a decision record.',
  fields: onlyProperties({
    id: ['ID', 'The decision record.'],
    status: [EvidenceStatus, '`sealed` or `pending`.'],
    evidenceLevel: [EvidenceLevel, 'The evidence level.'],
    chainHash: ['String?', 'The hash in hex.'],
    chainIndex: ['Int?', 'The index on the chain, from 0.'],
    domain: ['String', 'The domain of the chain.'],
    createdAt: ['DateTime', 'When it was created.'],
    sealedAt: ['DateTime?', 'When it was sealed.'],
  }),
});

builder.queryFields((t) => ({
  evidence: t.field({
    type: EvidenceRef,
    description: 'The proof of a sealed decision of the center.',
    authScopes: { access: ownReaders },
    args: {
      id: t.arg.id({ required: true, description: 'The id of the evidence, from the decision event.' }),
    },
    resolve: (_, { id }, ctx) => getEvidence(ctx, String(id)),
  }),
  evidenceExport: t.field({
    extensions: { cost: EXPORT_COST, fromReplica: true },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description: 'The proof as a JSON-LD document that can be verified offline.',
    authScopes: { access: ownReaders },
    args: {
      id: t.arg.id({ required: true, description: 'The id of the evidence, from the decision event.' }),
    },
    resolve: (_, { id }, ctx) =>
      exportFromReplica(ctx, async (from) =>
        exportDocument(from, (await getEvidence(from, String(id))).dpuId),
      ),
  }),
  decisionExport: t.field({
    extensions: { cost: EXPORT_COST, fromReplica: true },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description:
      'The proof document of a final decision. For a sealed decision it equals the export of its evidence; for a rejected, withdrawn or expired one it proves the journal record.',
    authScopes: { access: ownReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision event.' }) },
    resolve: (_, { id }, ctx) => exportFromReplica(ctx, (from) => exportDecision(from, String(id))),
  }),
  proofState: t.field({
    type: ProofStateRef,
    description: 'The status of a decision record of the center.',
    authScopes: { access: ownReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision record.' }) },
    resolve: (_, { id }, ctx) => getProofState(ctx, String(id)),
  }),
}));
