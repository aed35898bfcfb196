import { z } from 'zod';
import { requestMandateInput } from '../../domain/decisions/mandates/terms.ts';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { nodesOf, pageSize } from '../envelope.ts';
import { route } from '../route.ts';
import { cursorQuery, mandateIdParam, proofData, timestamp } from '../schemas.ts';

const mandate = z
  .object({
    id: z.string().meta(doc('The id of the mandate.', 'mnd_01k9zq2m0000000000000000m1')),
    status: z
      .enum(['pending', 'active', 'exhausted', 'expired', 'revoked', 'rejected'])
      .describe('The status.'),
    agent: z
      .object({ id: z.string().meta(doc('The id of the agent.', 'refund-agent')) })
      .nullable()
      .describe('The agent.'),
    actionPattern: z
      .string()
      .nullable()
      .meta(doc('An action type, or a prefix that ends in `.*`.', 'refund.*')),
    condition: z
      .string()
      .nullable()
      .meta(doc('A CEL expression over `input` and `riskScore` that must give true.', 'input.amount < 5000')),
    maxUses: z.int().nullable().meta(doc('The maximum number of uses.', 100)),
    used: z.int().meta(doc('The number of uses.', 12)),
    budget: z
      .object({
        member: z
          .string()
          .meta(doc('The path of a number in `action.input`, with dots between names.', 'amount')),
        limit: z.number().meta(doc('The total that the calls may spend.', 100_000)),
      })
      .nullable()
      .describe('The budget: a path to a number in `action.input`, and a limit.'),
    spent: z.number().nullable().meta(doc('The amount spent so far.', 12000)),
    validFrom: timestamp
      .nullable()
      .meta(
        doc('When the mandate becomes valid. Default: as soon as it is granted.', '2026-11-15T09:32:00.000Z'),
      ),
    validUntil: timestamp
      .nullable()
      .meta(doc('When the mandate expires, at most 366 days from now.', '2027-01-31T00:00:00.000Z')),
    eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
  })
  .meta({ id: 'Mandate' });
const MANDATE = `id status agent { id } actionPattern condition maxUses used budget { member limit } spent
  validFrom validUntil eventId`;

const requested = z
  .object({
    mandateId: z.string().meta(doc('The id of the mandate.', 'mnd_01k9zq2m0000000000000000m1')),
    eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
    status: z.literal('pending').describe('The status.'),
  })
  .meta({ id: 'RequestedMandate' });

const common = { tag: 'Mandates', auth: 'key' } as const;

export const mandateRoutes = [
  route({
    ...common,
    method: 'POST',
    path: '/v1/mandates',
    operationId: 'requestMandate',
    summary: 'Request a mandate: an approval for a class of calls of one agent',
    body: requestMandateInput.extend({
      validFrom: timestamp
        .optional()
        .meta(
          doc(
            'When the mandate becomes valid. Default: as soon as it is granted.',
            '2026-11-15T09:32:00.000Z',
          ),
        ),
      validUntil: timestamp.meta(
        doc('When the mandate expires, at most 366 days from now.', '2027-01-31T00:00:00.000Z'),
      ),
    }),
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
      pagination: z
        .object({
          hasMore: z.boolean().meta(doc('Whether there are more pages.', false)),
          nextCursor: z
            .string()
            .nullable()
            .meta(doc('The value of `after` for the next page; null on the last page.', null)),
        })
        .describe('Pagination.'),
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
    params: mandateIdParam,
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
    params: mandateIdParam,
    document: graphql('mutation ($input: RevokeMandateInput!) { revokeMandate(input: $input) { id } }'),
    variables: ({ params }) => ({ input: params }),
    project: () => null,
    response: null,
    status: 204,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  }),
];
