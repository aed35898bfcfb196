import {
  createApiKey,
  createApiKeyInput,
  keyScopes,
  revokeApiKey,
  rotateApiKey,
  rotateApiKeyInput,
} from '../../domain/api-keys/keys.ts';
import { MOST_COUNTED } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

const ApiKey = builder.prismaNode('ApiKey', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'A key with which another system calls the Proof API for this center. Its secret is not kept.',
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is called.' }),
    publicId: t.exposeString('publicId', {
      description: 'The part of the key by which it can be recognised.',
    }),
    scopes: t.exposeStringList('scopes', { description: `What it may do: ${keyScopes.join(', ')}.` }),
    ratePerMinute: t.exposeInt('ratePerMinute', {
      nullable: true,
      description: 'Its own limit of calls a minute; null follows the general one.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working by itself.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended by hand; null while it works.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
  }),
});

const NewApiKey = builder.objectRef<Awaited<ReturnType<typeof createApiKey>>>('NewApiKey').implement({
  description: 'A key that was just made.',
  fields: (t) => ({
    apiKey: t.field({ type: ApiKey, description: 'What is kept of it.', resolve: ({ apiKey }) => apiKey }),
    plaintext: t.exposeString('plaintext', { description: 'The key itself, shown this once.' }),
  }),
});

const RotatedApiKey = builder.objectRef<Awaited<ReturnType<typeof rotateApiKey>>>('RotatedApiKey').implement({
  description: 'An API key that was rotated, and the one that follows it.',
  fields: (t) => ({
    apiKey: t.field({ type: ApiKey, description: 'The new API key.', resolve: ({ apiKey }) => apiKey }),
    previous: t.field({
      type: ApiKey,
      description: 'The key before, with the time at which it ends.',
      resolve: ({ previous }) => previous,
    }),
    plaintext: t.exposeString('plaintext', { description: 'The successor itself, shown this once.' }),
  }),
});

const RotateApiKeyInput = builder
  .inputType('RotateApiKeyInput', {
    description: 'An API key to replace by a new one.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the API key.' }),
      overlapHours: t.int({
        defaultValue: 24,
        description: 'How many hours it goes on working beside its successor, up to 720; 0 ends it at once.',
      }),
    }),
  })
  .validate(rotateApiKeyInput);

const CreateApiKeyInput = builder
  .inputType('CreateApiKeyInput', {
    description: 'An API key to make for the current center.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'What to call it.' }),
      scopes: t.stringList({ required: true, description: `What it may do: ${keyScopes.join(', ')}.` }),
      expiresAt: t.field({ type: 'DateTime', description: 'When it stops working by itself.' }),
      ratePerMinute: t.int({ description: 'Its own limit of calls a minute, 6000 at most.' }),
    }),
  })
  .validate(createApiKeyInput);

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'An API key to end at once.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the API key.' }) }),
});

builder.queryField('apiKeys', (t) =>
  t.prismaConnection(
    {
      type: ApiKey,
      cursor: 'id',
      extensions: keyedBy('key'),
      description: "The center's API keys, newest first.",
      authScopes: { access: { roles: ['ADMIN'] } },
      totalCount: (_, __, ctx) => ctx.db.apiKey.count({ take: MOST_COUNTED }),
      resolve: (query, _, __, ctx) => ctx.db.apiKey.findMany({ ...query, orderBy: { id: 'desc' } }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description: 'Makes an API key for the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key to make.' }) },
    resolve: (_, { input }, ctx) => createApiKey(ctx, input),
  }),
  rotateApiKey: t.field({
    type: RotatedApiKey,
    description:
      'Makes a successor of an API key; the key itself works on for a while, so that users can change over.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: { input: t.arg({ type: RotateApiKeyInput, required: true, description: 'The key to replace.' }) },
    resolve: (_, { input }, ctx) => rotateApiKey(ctx, input),
  }),
  revokeApiKey: t.field({
    type: ApiKey,
    description: 'Ends an API key at once.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'Which API key to end.' }) },
    resolve: (_, { input }, ctx) => revokeApiKey(ctx, String(input.id)),
  }),
}));
