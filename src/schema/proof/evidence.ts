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
import { EXPORT_COMPLEXITY, EXPORT_COST } from '../request-cost.ts';
import { ownReaders } from './decision-event.ts';

const ChainPlace = builder.objectRef<Evidence['chain']>('ChainPlace').implement({
  description: 'The position of a record on its chain.',
  fields: (t) => ({
    hash: t.exposeString('hash', {
      description: 'SHA-256 of content, previous hash and timestamp, in hex.',
    }),
    previousHash: t.exposeString('previousHash', {
      nullable: true,
      description: 'The hash of the previous record; null for the first.',
    }),
    index: t.exposeInt('index', { description: 'The index, from 0.' }),
    domain: t.exposeString('domain', { description: 'The domain of the chain.' }),
  }),
});

const EvidenceRef = builder.objectRef<Evidence>('Evidence').implement({
  description: 'The proof of a sealed decision, read from the chain.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the evidence.' }),
    eventId: t.exposeID('eventId', { description: 'The decision event.' }),
    dpuId: t.exposeID('dpuId', { description: 'The decision record.' }),
    decisionId: t.exposeString('decisionId', { description: "The caller's id of the decision." }),
    status: t.expose('status', {
      type: EvidenceStatus,
      description: 'Always `sealed`.',
    }),
    evidenceLevel: t.expose('evidenceLevel', { type: EvidenceLevel, description: 'Always AUDIT_READY.' }),
    event: t.expose('event', { type: 'JSON', description: 'The decision exactly as sealed.' }),
    approval: t.field({
      type: 'JSON',
      description: 'The last approval, which sealed the decision.',
      resolve: ({ approvals }) => approvals.at(-1),
    }),
    approvals: t.expose('approvals', { type: ['JSON'], description: 'All approvals, oldest first.' }),
    policy: t.expose('policy', {
      type: 'JSON',
      description: 'The policy it was sealed under, guard by guard.',
    }),
    erased: t.expose('erased', {
      type: ['JSON'],
      description: 'Erased members, with time and reason.',
    }),
    chain: t.expose('chain', { type: ChainPlace, description: 'The position on the chain.' }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When it was sealed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the decision was recorded.' }),
  }),
});

const ProofStateRef = builder.objectRef<ProofState>('ProofState').implement({
  description: 'The status of a decision record.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The decision record.' }),
    status: t.expose('status', { type: EvidenceStatus, description: '`sealed` or `pending`.' }),
    evidenceLevel: t.expose('evidenceLevel', {
      type: EvidenceLevel,
      description: 'The evidence level.',
    }),
    chainHash: t.exposeString('chainHash', { nullable: true, description: 'The hash in hex.' }),
    chainIndex: t.exposeInt('chainIndex', { nullable: true, description: 'The index on the chain, from 0.' }),
    domain: t.exposeString('domain', { description: 'The domain of the chain.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    sealedAt: t.expose('sealedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was sealed.',
    }),
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
