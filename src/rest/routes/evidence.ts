import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { exportDocument } from '../export-document.ts';
import { approval, chainPlace, evidenceStatus, prefixed, sealedEvent, sealState } from '../proof-shapes.ts';
import { routesOf } from '../route.ts';
import {
  dpuIdParam,
  eventIdParam,
  evidenceIdParam,
  evidenceLevel,
  ids,
  proofData,
  timestamp,
} from '../schemas.ts';

const evidence = z
  .object({
    id: z.string().meta(ids.evidence),
    decisionId: z.string().meta(ids.decision),
    status: evidenceStatus,
    evidenceLevel,
    event: sealedEvent,
    approval,
    approvals: z.array(approval).optional(),
    erased: z
      .array(
        z.object({
          path: z.string().meta(doc('Which member was erased, with dots between names.', 'action.input')),
          at: timestamp.meta(doc('When the member was erased, in UTC.', '2026-11-15T09:30:00.000Z')),
          reason: z
            .string()
            .meta(doc('Why it was erased, as stated by the person who did.', 'Fits the plan.')),
        }),
      )
      .optional()
      .meta(doc('Erased members with time and reason. Their digests remain sealed.', [])),
    chain: chainPlace,
    sealedAt: timestamp,
    createdAt: timestamp,
  })
  .meta({ id: 'Evidence' });

const { status, ...place } = sealState;
const proofState = z
  .object({
    id: z.string().meta(ids.dpu),
    status,
    evidenceLevel: evidenceLevel.describe('The level of the evidence so far. It can only rise.'),
    ...place,
    domain: z.string().meta(doc('The name of the chain: platform or proof.', 'proof')),
    createdAt: timestamp,
    sealedAt: timestamp.nullable().describe('When the record became AUDIT_READY, in UTC; null until then.'),
  })
  .meta({ id: 'ProofState' });

const route = routesOf({ tag: 'Proof', auth: 'key', errors: ['CHAIN_BROKEN'] });

export const evidenceRoutes = [
  route({
    method: 'GET',
    path: '/v1/evidence/{id}',
    operationId: 'getEvidence',
    summary: 'Read the proof of a sealed decision',
    params: evidenceIdParam,
    document: graphql(`
      query ($id: ID!) {
        evidence(id: $id) {
          id decisionId status evidenceLevel event approval approvals erased
          chain { hash previousHash index domain }
          sealedAt createdAt
        }
      }`),
    variables: ({ params }) => params,
    project: ({ evidence: { approvals, erased, chain, ...shown } }) => ({
      data: {
        ...shown,
        // The approval that sealed the decision is enough, unless several were required.
        ...(approvals.length > 1 && { approvals }),
        ...(erased.length > 0 && { erased }),
        chain: { ...chain, hash: prefixed(chain.hash), previousHash: prefixed(chain.previousHash) },
      },
    }),
    response: proofData(evidence),
  }),
  route({
    method: 'GET',
    path: '/v1/evidence/{id}/export',
    operationId: 'exportEvidence',
    summary: 'The proof as a JSON-LD document that can be checked offline',
    params: evidenceIdParam,
    document: graphql(`query ($id: ID!) { evidenceExport(id: $id) }`),
    variables: ({ params }) => params,
    project: ({ evidenceExport }) => evidenceExport,
    response: exportDocument,
    contentType: 'application/ld+json',
  }),
  route({
    method: 'GET',
    path: '/v1/decision-events/{id}/export',
    operationId: 'exportDecision',
    summary: 'The proof of a final decision, rejected ones included, as a JSON-LD document',
    params: eventIdParam,
    document: graphql(`query ($id: ID!) { decisionExport(id: $id) }`),
    variables: ({ params }) => params,
    project: ({ decisionExport }) => decisionExport,
    response: exportDocument,
    contentType: 'application/ld+json',
    errors: ['CONFLICT'],
  }),
  route({
    method: 'GET',
    path: '/v1/dpu/{id}',
    operationId: 'getProofState',
    summary: 'Whether a decision record is sealed',
    params: dpuIdParam,
    document: graphql(`
      query ($id: ID!) {
        proofState(id: $id) { id status evidenceLevel chainHash chainIndex domain createdAt sealedAt }
      }`),
    variables: ({ params }) => params,
    project: ({ proofState: state }) => ({
      data: { ...state, chainHash: prefixed(state.chainHash) },
    }),
    response: proofData(proofState),
  }),
];
