import { z } from 'zod';
import { createApiKeyInput, keyScopes } from '../../domain/api-keys/keys.ts';
import { doc, example } from '../../lib/doc.ts';
import { opaqueId } from '../../lib/text.ts';
import { graphql } from '../../schema/document.ts';
import { ok, okList, pageSize, successList } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { cursorQuery, ids, notNull, oneOf, success, timestamp } from '../schemas.ts';

const apiKey = z
  .object({
    id: z.string().meta(ids.apiKey),
    name: z.string().meta(example('Order service')),
    publicId: z.string().meta(example('a1b2c3d4')),
    scopes: z.array(oneOf(keyScopes)).meta(example(['proof:write'])),
    ratePerMinute: z.int().nullable().meta(example(600)),
    createdAt: timestamp,
    expiresAt: timestamp.nullable().meta(example('2026-11-15T09:32:00.000Z')),
    revokedAt: timestamp.nullable().meta(example(null)),
    lastUsedAt: timestamp
      .nullable()
      .describe('When the key was last used, to the minute; null if it was not.'),
  })
  .meta({ id: 'ApiKey' });
const API_KEY = 'id name publicId scopes ratePerMinute createdAt expiresAt revokedAt lastUsedAt';

const route = routesOf({ tag: 'API keys', auth: 'token', errors: ['INSUFFICIENT_ROLE'] });

export const apiKeyRoutes = [
  route({
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: "The center's API keys, newest first",
    query: z.object(cursorQuery),
    document: graphql(`
      query ($limit: Int!, $after: String) {
        apiKeys(first: $limit, after: $after) {
          edges { node { ${API_KEY} } }
          pageInfo { hasNextPage endCursor }
        }
      }`),
    variables: ({ query: { limit: asked, after = null } }) => ({ limit: pageSize(asked), after }),
    project: ({ apiKeys }) => okList(apiKeys),
    response: successList(apiKey),
    errors: ['FEATURE_DISABLED'],
  }),
  route({
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key for the center; the response is the only one with the secret',
    body: createApiKeyInput.extend({
      expiresAt: timestamp
        .optional()
        .meta(
          doc(
            'When the key stops working; it must be in the future. Without it, never.',
            '2027-11-15T00:00:00.000Z',
          ),
        ),
      ratePerMinute: notNull(createApiKeyInput.shape.ratePerMinute).meta(
        doc('Requests per minute, 1 to 6,000. Default: the limit of the service.', 600),
      ),
    }),
    document: graphql(`
      mutation ($input: CreateApiKeyInput!) {
        createApiKey(input: $input) { plaintext apiKey { ${API_KEY} } }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ createApiKey }) => ok({ ...createApiKey.apiKey, plaintext: createApiKey.plaintext }),
    response: success(
      apiKey
        .extend({
          plaintext: z
            .string()
            .meta(
              doc(
                'The secret key, `csk_…`; shown only once.',
                'csk_a1b2c3d4_4fT0p9sQxYk2mNv7Lr8Wd3Hj6Gz1Bc5',
              ),
            ),
        })
        .meta({ id: 'NewApiKey', graphqlType: 'ApiKey' }),
    ),
    status: 201,
    errors: ['FEATURE_DISABLED', 'MISSING_REQUIRED_FIELD', 'VALIDATION_ERROR', 'CONFLICT'],
  }),
  route({
    method: 'DELETE',
    path: '/api-keys/{keyId}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key immediately',
    params: z.object({ keyId: opaqueId.meta(ids.apiKey) }),
    document: graphql(`mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { ${API_KEY} } }`),
    variables: ({ params }) => ({ input: { id: params.keyId } }),
    project: ({ revokeApiKey }) => ok(revokeApiKey),
    response: success(apiKey),
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
];
