import { z } from 'zod';
import { graphql } from '../../schema/document.ts';
import { evidenceStatus, prefixed, prefixedHash } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { evidenceLevel, idParam, proofData, timestamp } from '../schemas.ts';

const proofState = z
  .object({
    id: z.string(),
    status: evidenceStatus,
    evidenceLevel,
    chainHash: prefixedHash.nullable(),
    chainIndex: z.int().nullable(),
    domain: z.string(),
    createdAt: timestamp,
    sealedAt: timestamp.nullable(),
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
    requester: true,
    params: idParam,
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
