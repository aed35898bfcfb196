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
    index: ['Int', 'The index of the record on its chain, from 0.'],
    domain: ['String', 'The name of the chain: `proof`.'],
  }),
});

const EvidenceRef = builder.objectRef<Evidence>('Evidence').implement({
  description: 'The proof of a sealed decision, read from the chain.',
  fields: (t) => ({
    ...properties(t, {
      id: ['ID', 'The id of the evidence, `evd_…`.'],
      eventId: ['ID', 'The id of the decision event, `evt_…`.'],
      dpuId: ['ID', 'The id of the decision record, `dpu_…`.'],
      decisionId: ['String', "The caller's id of the decision: its idempotency key, or a generated one."],
      status: [EvidenceStatus, 'Always `sealed`: other decisions have no evidence.'],
      evidenceLevel: [EvidenceLevel, 'Always AUDIT_READY: other decisions have no evidence.'],
      event: ['JSON', 'The decision exactly as sealed, without erased members.'],
      approvals: ['[JSON]', 'All approvals, oldest first.'],
      policy: ['JSON', 'The policy it was sealed under, guard by guard.'],
      erased: ['[JSON]', 'Erased members, with time and reason.'],
      chain: [ChainPlace, 'Where on the proof chain the record is.'],
      sealedAt: ['DateTime', 'When the decision was sealed, in UTC.'],
      createdAt: ['DateTime', 'When the decision was recorded, in UTC.'],
    }),
    approval: t.field({
      type: 'JSON',
      description: 'The last approval, which sealed the decision.',
      resolve: ({ approvals }) => approvals.at(-1),
    }),
  }),
});

const ProofStateRef = builder.objectRef<ProofState>('ProofState').implement({
  description: 'Whether a decision record is sealed, and where on its chain.',
  fields: onlyProperties({
    id: ['ID', 'The id of the decision record, `dpu_…`.'],
    status: [EvidenceStatus, 'Whether the record is sealed; pending until then.'],
    evidenceLevel: [EvidenceLevel, 'The level of the evidence so far.'],
    chainHash: ['String?', 'The hash of the record in hex; null until it is on a chain.'],
    chainIndex: ['Int?', 'The index of the record on its chain, from 0; null until it is on a chain.'],
    domain: ['String', 'The name of the chain: platform or proof.'],
    createdAt: ['DateTime', 'When the record or its decision was created, in UTC.'],
    sealedAt: ['DateTime?', 'When the record became AUDIT_READY, in UTC; null until then.'],
  }),
});

builder.queryFields((t) => ({
  evidence: t.field({
    type: EvidenceRef,
    description: 'The proof of a sealed decision of the center.',
    authScopes: { access: ownReaders },
    args: {
      id: t.arg.id({
        required: true,
        description: 'The id of the evidence, `evd_…`, from the decision event.',
      }),
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
      id: t.arg.id({
        required: true,
        description: 'The id of the evidence, `evd_…`, from the decision event.',
      }),
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
    args: { id: t.arg.id({ required: true, description: 'The id of the decision event, `evt_…`.' }) },
    resolve: (_, { id }, ctx) => exportFromReplica(ctx, (from) => exportDecision(from, String(id))),
  }),
  proofState: t.field({
    type: ProofStateRef,
    description: 'The status of a decision record of the center.',
    authScopes: { access: ownReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision record, `dpu_…`.' }) },
    resolve: (_, { id }, ctx) => getProofState(ctx, String(id)),
  }),
}));
