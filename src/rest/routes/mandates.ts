import { z } from 'zod';
import { requestMandateInput } from '../../domain/decisions/mandates/terms.ts';
import { doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { cursorPagination, listOf, pageSize } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { cursorQuery, ids, mandateIdParam, proofData, timestamp } from '../schemas.ts';

const mandate = z
  .object({
    id: z.string().meta(ids.mandate),
    status: z.enum(['pending', 'active', 'exhausted', 'expired', 'revoked', 'rejected']),
    agent: z.object({ id: z.string().meta(example('refund-agent')) }).nullable(),
    keys: z
      .array(z.string())
      .nullable()
      .meta(example(['key_01k9zq2m0000000000000000k1'])),
    actionPattern: z.string().nullable().meta(example('refund.*')),
    condition: z.string().nullable().meta(example('input.amount < 5000')),
    maxUses: z.int().nullable().meta(example(100)),
    used: z.int().meta(example(12)),
    budget: z
      .object({
        member: z.string().meta(example('amount')),
        limit: z
          .number()
          .meta(doc('What the calls may spend together, in the unit of that number.', 100_000)),
      })
      .nullable()
      .describe('How much the calls may spend together; null without a limit.'),
    spent: z.number().nullable().meta(example(12000)),
    validFrom: timestamp.nullable().meta(example('2026-11-15T09:32:00.000Z')),
    validUntil: timestamp.nullable().meta(example('2027-01-31T00:00:00.000Z')),
    eventId: z.string().meta(example('evt_01k9zq2m0000000000000000e1')),
  })
  .meta({ id: 'Mandate' });
const MANDATE = `id status agent { id } keys actionPattern condition maxUses used budget { member limit } spent
  validFrom validUntil eventId`;

const requestedMandate = z
  .object({
    mandateId: z.string().meta(ids.mandate),
    eventId: z.string().meta(example('evt_01k9zq2m0000000000000000e1')),
    status: z.literal('pending'),
    approvalProblem: z
      .string()
      .optional()
      .meta(
        doc(
          'Why the present members cannot approve the request, in a sentence. Left out if they can.',
          'No person can approve this request: the center has no active administrator.',
        ),
      ),
  })
  .meta({ id: 'RequestedMandate' });

const route = routesOf({ tag: 'Mandates', auth: 'key' });

export const mandateRoutes = [
  route({
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
        doc('When it stops approving calls, at most 366 days from now.', '2027-01-31T00:00:00.000Z'),
      ),
    }),
    document: graphql(`
      mutation ($input: RequestMandateInput!) {
        requestMandate(input: $input) { mandateId eventId status approvalProblem }
      }`),
    variables: ({ body }) => ({ input: body }),
    // A new mandate waits for its approval.
    project: ({ requestMandate: { approvalProblem, ...requested } }) => ({
      data: { ...requested, status: 'pending' as const, ...(approvalProblem && { approvalProblem }) },
    }),
    response: proofData(requestedMandate),
    status: 201,
    errors: ['QUOTA_EXCEEDED'],
  }),
  route({
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
    project: ({ mandates }) => listOf(mandates),
    response: proofData(z.array(mandate)).extend({
      pagination: cursorPagination.describe('Whether more pages follow, and where they begin.'),
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/mandates/{id}',
    operationId: 'getMandate',
    summary: 'Read a mandate and what was used of it',
    params: mandateIdParam,
    document: graphql(`query ($id: ID!) { mandate(id: $id) { ${MANDATE} } }`),
    variables: ({ params }) => params,
    project: ({ mandate: shown }) => ({ data: shown }),
    response: proofData(mandate),
  }),
  route({
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
  }),
];
