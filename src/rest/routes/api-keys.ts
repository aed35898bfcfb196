import { z } from 'zod';
import { createApiKeyInput, keyScopes } from '../../domain/api-keys/keys.ts';
import { doc } from '../../lib/doc.ts';
import { opaqueId } from '../../lib/text.ts';
import { graphql } from '../../schema/document.ts';
import { nextCursor, nodesOf, ok, okList, pageSize, successList } from '../envelope.ts';
import { route } from '../route.ts';
import { cursorQuery, notNull, oneOf, success, timestamp } from '../schemas.ts';

const apiKey = z
  .object({
    id: z.string().meta(doc('The id of the API key.', 'key_01k9zq2m0000000000000000k1')),
    name: z.string().meta(doc('The name of the key.', 'Order service')),
    publicId: z.string().meta(doc('The recognizable prefix of the key.', 'a1b2c3d4')),
    scopes: z.array(oneOf(keyScopes)).meta(doc('The scopes of the key.', ['proof:write'])),
    ratePerMinute: z.int().nullable().meta(doc('Requests per minute; null uses the default limit.', 600)),
    createdAt: timestamp.describe('When it was created.'),
    expiresAt: timestamp.nullable().meta(doc('When it expires.', '2026-11-15T09:32:00.000Z')),
    revokedAt: timestamp.nullable().meta(doc('When it was revoked, or null.', null)),
    lastUsedAt: timestamp.nullable().describe('When it was last used, to the minute, or null.'),
  })
  .meta({ id: 'ApiKey' });
const API_KEY = 'id name publicId scopes ratePerMinute createdAt expiresAt revokedAt lastUsedAt';

const common = { tag: 'API keys', auth: 'token' } as const;

export const apiKeyRoutes = [
  route({
    ...common,
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
    project: ({ apiKeys }) => okList(nodesOf(apiKeys), nextCursor(apiKeys)),
    response: successList(apiKey),
    status: 200,
    errors: ['UNAUTHORIZED', 'INSUFFICIENT_ROLE', 'FEATURE_DISABLED', 'VALIDATION_ERROR'],
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Make an API key for the center; shows the key itself this once',
    body: createApiKeyInput.extend({
      expiresAt: timestamp.optional().meta(doc('When it expires.', '2027-11-15T00:00:00.000Z')),
      ratePerMinute: notNull(createApiKeyInput.shape.ratePerMinute).meta(
        doc('Requests per minute; null uses the default limit.', 600),
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
            .meta(doc('The secret key, shown only once.', 'csk_a1b2c3d4_4fT0p9sQxYk2mNv7Lr8Wd3Hj6Gz1Bc5')),
        })
        .meta({ id: 'NewApiKey' }),
    ),
    status: 201,
    errors: [
      'UNAUTHORIZED',
      'INSUFFICIENT_ROLE',
      'FEATURE_DISABLED',
      'MISSING_REQUIRED_FIELD',
      'VALIDATION_ERROR',
      'CONFLICT',
    ],
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api-keys/{keyId}',
    operationId: 'revokeApiKey',
    summary: 'End an API key at once',
    params: z.object({
      keyId: opaqueId.meta(doc('The id of the API key.', 'key_01k9zq2m0000000000000000k1')),
    }),
    document: graphql(`mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { ${API_KEY} } }`),
    variables: ({ params }) => ({ input: { id: params.keyId } }),
    project: ({ revokeApiKey }) => ok(revokeApiKey),
    response: success(apiKey),
    status: 200,
    errors: ['UNAUTHORIZED', 'INSUFFICIENT_ROLE', 'NOT_FOUND', 'CONFLICT'],
  }),
];
