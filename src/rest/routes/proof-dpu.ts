import { z } from 'zod';
import { A_PREFIXED_HASH, doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { evidenceStatus, prefixed, prefixedHash } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { dpuIdParam, evidenceLevel, proofData, timestamp } from '../schemas.ts';

const proofState = z
  .object({
    id: z.string().meta(doc('The id of the decision proof unit.', 'dpu_01k9zq2m0000000000000000d1')),
    status: evidenceStatus.describe('The status.'),
    evidenceLevel: evidenceLevel.describe('The evidence level. It can only rise.'),
    chainHash: prefixedHash
      .nullable()
      .meta(doc('The hash that links the record into its chain.', A_PREFIXED_HASH)),
    chainIndex: z.int().nullable().meta(doc('The position in the chain, counted from 0.', 41)),
    domain: z.string().meta(doc('The name of the chain.', 'proof')),
    createdAt: timestamp.describe('When it was created.'),
    sealedAt: timestamp.nullable().describe('When it was sealed, or null.'),
  })
  .meta({ id: 'ProofState' });

export const proofDpuRoutes = [
  route({
    method: 'GET',
    path: '/v1/dpu/{id}',
    operationId: 'getProofState',
    summary: 'How far a decision record has come',
    tag: 'Proof',
    auth: 'key',
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
    status: 200,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CHAIN_BROKEN', 'RATE_LIMITED'],
  }),
];
