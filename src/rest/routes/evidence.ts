import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { exportDocument } from '../export-document.ts';
import { approval, chainPlace, evidenceStatus, prefixed, sealedEvent } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { eventIdParam, evidenceIdParam, evidenceLevel, ids, proofData, timestamp } from '../schemas.ts';

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
          path: z.string().meta(doc('The path of the erased member.', 'action.input')),
          at: timestamp.meta(doc('When it was erased.', '2026-11-15T09:30:00.000Z')),
          reason: z.string().meta(doc('The reason.', 'Fits the plan.')),
        }),
      )
      .optional()
      .meta(doc('Erased members with time and reason. Their digests remain sealed.', [])),
    chain: chainPlace,
    sealedAt: timestamp,
    createdAt: timestamp,
  })
  .meta({ id: 'Evidence' });

export const evidenceRoutes = [
  route({
    method: 'GET',
    path: '/v1/evidence/{id}',
    operationId: 'getEvidence',
    summary: 'Read the proof of a sealed decision',
    tag: 'Proof',
    auth: 'key',
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
    status: 200,
    errors: ['CHAIN_BROKEN'],
  }),
  route({
    method: 'GET',
    path: '/v1/evidence/{id}/export',
    operationId: 'exportEvidence',
    summary: 'The proof as a JSON-LD document that can be checked offline',
    tag: 'Proof',
    auth: 'key',
    params: evidenceIdParam,
    document: graphql(`query ($id: ID!) { evidenceExport(id: $id) }`),
    variables: ({ params }) => params,
    project: ({ evidenceExport }) => evidenceExport,
    response: exportDocument,
    status: 200,
    contentType: 'application/ld+json',
    errors: ['CHAIN_BROKEN'],
  }),
  route({
    method: 'GET',
    path: '/v1/decision-events/{id}/export',
    operationId: 'exportDecision',
    summary: 'The proof of a final decision, rejected ones included, as a JSON-LD document',
    tag: 'Proof',
    auth: 'key',
    params: eventIdParam,
    document: graphql(`query ($id: ID!) { decisionExport(id: $id) }`),
    variables: ({ params }) => params,
    project: ({ decisionExport }) => decisionExport,
    response: exportDocument,
    status: 200,
    contentType: 'application/ld+json',
    errors: ['CONFLICT', 'CHAIN_BROKEN'],
  }),
];
