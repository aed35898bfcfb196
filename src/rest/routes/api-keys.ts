import { z } from 'zod';
import { createApiKeyInput, keyScopes } from '../../domain/api-keys/keys.ts';
import { opaqueId } from '../../lib/text.ts';
import { graphql } from '../../schema/document.ts';
import { nextCursor, nodesOf, ok, okList, pageSize, successList } from '../envelope.ts';
import { route } from '../route.ts';
import { cursorQuery, notNull, oneOf, success, timestamp } from '../schemas.ts';

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    publicId: z.string(),
    scopes: z.array(oneOf(keyScopes)),
    ratePerMinute: z.int().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
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
      expiresAt: timestamp.optional(),
      ratePerMinute: notNull(createApiKeyInput.shape.ratePerMinute),
    }),
    document: graphql(`
      mutation ($input: CreateApiKeyInput!) {
        createApiKey(input: $input) { plaintext apiKey { ${API_KEY} } }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ createApiKey }) => ok({ ...createApiKey.apiKey, plaintext: createApiKey.plaintext }),
    response: success(apiKey.extend({ plaintext: z.string() }).meta({ id: 'NewApiKey' })),
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
    params: z.object({ keyId: opaqueId }),
    document: graphql(`mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { ${API_KEY} } }`),
    variables: ({ params }) => ({ input: { id: params.keyId } }),
    project: ({ revokeApiKey }) => ok(revokeApiKey),
    response: success(apiKey),
    status: 200,
    errors: ['UNAUTHORIZED', 'INSUFFICIENT_ROLE', 'NOT_FOUND', 'CONFLICT'],
  }),
];
