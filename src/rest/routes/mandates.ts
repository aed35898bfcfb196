import { z } from 'zod';
import { requestMandateInput } from '../../domain/proof/mandate-terms.ts';
import { graphql } from '../../schema/document.ts';
import { nodesOf, pageSize } from '../envelope.ts';
import { route } from '../route.ts';
import { cursorQuery, idParam, proofData, timestamp } from '../schemas.ts';

const mandate = z
  .object({
    id: z.string(),
    status: z.enum(['pending', 'active', 'exhausted', 'expired', 'revoked', 'rejected']),
    agent: z.object({ id: z.string() }).nullable(),
    actionPattern: z.string().nullable(),
    condition: z.string().nullable(),
    maxUses: z.int().nullable(),
    used: z.int(),
    budget: z.object({ member: z.string(), limit: z.number() }).nullable(),
    spent: z.number().nullable(),
    validFrom: timestamp.nullable(),
    validUntil: timestamp.nullable(),
    eventId: z.string(),
  })
  .meta({ id: 'Mandate' });
const MANDATE = `id status agent { id } actionPattern condition maxUses used budget { member limit } spent
  validFrom validUntil eventId`;

const requested = z
  .object({ mandateId: z.string(), eventId: z.string(), status: z.literal('pending') })
  .meta({ id: 'RequestedMandate' });

const common = { tag: 'Mandates', auth: 'key' } as const;

export const mandateRoutes = [
  route({
    ...common,
    method: 'POST',
    path: '/v1/mandates',
    operationId: 'requestMandate',
    summary: 'Request a mandate: an approval for a class of calls of one agent',
    body: requestMandateInput.extend({ validFrom: timestamp.optional(), validUntil: timestamp }),
    document: graphql(`
      mutation ($input: RequestMandateInput!) { requestMandate(input: $input) { mandateId eventId status } }`),
    variables: ({ body }) => ({ input: body }),
    // A new mandate waits for its approval.
    project: ({ requestMandate }) => ({ data: { ...requestMandate, status: 'pending' as const } }),
    response: proofData(requested),
    status: 201,
    errors: [
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'CONFLICT',
      'VALIDATION_ERROR',
      'QUOTA_EXCEEDED',
      'RATE_LIMITED',
    ],
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/mandates',
    operationId: 'listMandates',
    summary: "The center's mandates, newest first",
    query: z.object(cursorQuery),
    document: graphql(`
      query ($limit: Int!, $after: String) {
        mandates(first: $limit, after: $after) {
          edges { node { ${MANDATE} } }
          pageInfo { hasNextPage endCursor }
        }
      }`),
    variables: ({ query: { limit: asked = 100, after = null } }) => ({ limit: pageSize(asked), after }),
    project: ({ mandates }) => ({
      data: nodesOf(mandates),
      pagination: {
        hasMore: mandates.pageInfo.hasNextPage,
        nextCursor: mandates.pageInfo.hasNextPage ? mandates.pageInfo.endCursor : null,
      },
    }),
    response: proofData(z.array(mandate)).extend({
      pagination: z.object({ hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    }),
    status: 200,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'VALIDATION_ERROR', 'RATE_LIMITED'],
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/mandates/{id}',
    operationId: 'getMandate',
    summary: 'Read a mandate and what was used of it',
    params: idParam,
    document: graphql(`query ($id: ID!) { mandate(id: $id) { ${MANDATE} } }`),
    variables: ({ params }) => params,
    project: ({ mandate: shown }) => ({ data: shown }),
    response: proofData(mandate),
    status: 200,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED'],
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/mandates/{id}',
    operationId: 'revokeMandate',
    summary: 'Revoke a mandate at once',
    params: idParam,
    document: graphql('mutation ($input: RevokeMandateInput!) { revokeMandate(input: $input) { id } }'),
    variables: ({ params }) => ({ input: params }),
    project: () => null,
    response: null,
    status: 204,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  }),
];
