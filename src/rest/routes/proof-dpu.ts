import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { prefixed, sealState } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { dpuIdParam, evidenceLevel, ids, proofData, timestamp } from '../schemas.ts';

const { status, ...place } = sealState;
const proofState = z
  .object({
    id: z.string().meta(ids.dpu),
    status,
    evidenceLevel: evidenceLevel.describe('The evidence level. It can only rise.'),
    ...place,
    domain: z.string().meta(doc('The name of the chain.', 'proof')),
    createdAt: timestamp,
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
    errors: ['CHAIN_BROKEN'],
  }),
];
