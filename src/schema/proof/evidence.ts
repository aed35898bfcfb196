import { type Evidence, getEvidence } from '../../domain/proof/evidence.ts';
import { exportDocument } from '../../domain/proof/export/export.ts';
import { exportDecision } from '../../domain/proof/export/rejection.ts';
import { getProofState, type ProofState } from '../../domain/proof/proof-state.ts';
import { builder } from '../builder.ts';
import { EvidenceLevel } from '../enums.ts';
import { EXPORT_COMPLEXITY, EXPORT_COST } from '../request-cost.ts';
import { ownReaders } from './decision-event.ts';
import { EvidenceStatus } from './enums.ts';

const ChainPlace = builder.objectRef<Evidence['chain']>('ChainPlace').implement({
  description: 'Where a record stands on its chain.',
  fields: (t) => ({
    hash: t.exposeString('hash', {
      description: 'SHA-256 of content, previous hash and timestamp, as hex digits.',
    }),
    previousHash: t.exposeString('previousHash', {
      nullable: true,
      description: 'The hash of the record before it; null for the first.',
    }),
    index: t.exposeInt('index', { description: 'Its place, from 0.' }),
    domain: t.exposeString('domain', { description: 'Which of the chains it stands on.' }),
  }),
});

const EvidenceRef = builder.objectRef<Evidence>('Evidence').implement({
  description: 'The proof of a sealed decision, read from the chain itself.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the evidence.' }),
    eventId: t.exposeID('eventId', { description: 'The decision event that it proves.' }),
    dpuId: t.exposeID('dpuId', { description: 'The decision record.' }),
    decisionId: t.exposeString('decisionId', { description: "The caller's own id of the decision." }),
    status: t.expose('status', {
      type: EvidenceStatus,
      description: 'Always `sealed`: there is no evidence before that.',
    }),
    evidenceLevel: t.expose('evidenceLevel', { type: EvidenceLevel, description: 'Always AUDIT_READY.' }),
    event: t.expose('event', { type: 'JSON', description: 'The decision, word for word as sealed.' }),
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
      description: 'What was deleted since, by path, with when and why.',
    }),
    chain: t.expose('chain', { type: ChainPlace, description: 'Where it stands on the chain.' }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When it was tied into the chain.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the decision was recorded.' }),
  }),
});

const ProofStateRef = builder.objectRef<ProofState>('ProofState').implement({
  description: 'How far a decision record has come.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The decision record.' }),
    status: t.expose('status', { type: EvidenceStatus, description: 'Sealed, or on its way.' }),
    evidenceLevel: t.expose('evidenceLevel', {
      type: EvidenceLevel,
      description: 'How far its evidence has come.',
    }),
    chainHash: t.exposeString('chainHash', { nullable: true, description: 'Its hash, as hex digits.' }),
    chainIndex: t.exposeInt('chainIndex', { nullable: true, description: 'Its place on the chain, from 0.' }),
    domain: t.exposeString('domain', { description: 'Which of the chains it stands on.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    sealedAt: t.expose('sealedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was tied into the chain.',
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
    extensions: { cost: EXPORT_COST },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description: 'The same as a JSON-LD document that can be checked without asking this service.',
    authScopes: { access: ownReaders },
    args: {
      id: t.arg.id({ required: true, description: 'The id of the evidence, from the decision event.' }),
    },
    resolve: async (_, { id }, ctx) => exportDocument(ctx, (await getEvidence(ctx, String(id))).dpuId),
  }),
  decisionExport: t.field({
    extensions: { cost: EXPORT_COST },
    complexity: EXPORT_COMPLEXITY,
    type: 'JSON',
    description:
      'The proof of any final decision as such a document: of a sealed one the same as that of its evidence, of one that was rejected, withdrawn or not approved in time the record on the journal.',
    authScopes: { access: ownReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision event.' }) },
    resolve: (_, { id }, ctx) => exportDecision(ctx, String(id)),
  }),
  proofState: t.field({
    type: ProofStateRef,
    description: 'How far a decision record of the center has come.',
    authScopes: { access: ownReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision record.' }) },
    resolve: (_, { id }, ctx) => getProofState(ctx, String(id)),
  }),
}));
