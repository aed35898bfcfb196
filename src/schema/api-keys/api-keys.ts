import {
  createApiKey,
  createApiKeyInput,
  keyScopes,
  revokeApiKey,
  rotateApiKey,
  rotateApiKeyInput,
} from '../../domain/api-keys/keys.ts';
import { actorNamesOf } from '../../domain/audit/names.ts';
import { MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { columns, onlyProperties } from '../exposed.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';
import { counted } from '../paging.ts';

const nameOf = makeLoader(actorNamesOf);

const ApiKey = builder.prismaNode('ApiKey', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: 'An API key of the center for the Proof API. The secret itself is not stored.',
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    ...columns(t, {
      name: 'The display name.',
      publicId: 'The recognizable prefix of the key.',
      scopes: `What it may do: ${keyScopes.join(', ')}.`,
      ratePerMinute: 'Requests per minute; null uses the default limit.',
      createdAt: 'When it was created.',
      expiresAt: 'When it expires.',
      revokedAt: 'When it was revoked; null if it was not.',
      lastUsedAt: 'When it was last used, to the minute.',
    }),
    createdBy: t.string({
      nullable: true,
      description:
        'The name of the member who created it; null for the service or a person who left the center.',
      complexity: 2,
      select: { createdById: true },
      resolve: async ({ createdById }, _, ctx) =>
        (createdById && (await nameOf(ctx, createdById.replace(/^(actor|key):/, '')))) || null,
    }),
  }),
});

const NewApiKey = builder.objectRef<Awaited<ReturnType<typeof createApiKey>>>('NewApiKey').implement({
  description: 'A new API key.',
  fields: onlyProperties({
    apiKey: [ApiKey, 'The stored key.'],
    plaintext: ['String', 'The secret key, shown only once.'],
  }),
});

const RotatedApiKey = builder.objectRef<Awaited<ReturnType<typeof rotateApiKey>>>('RotatedApiKey').implement({
  description: 'A rotated API key and its successor.',
  fields: onlyProperties({
    apiKey: [ApiKey, 'The new API key.'],
    previous: [ApiKey, 'The old key with its expiry.'],
    plaintext: ['String', 'The new secret key, shown only once.'],
  }),
});

const RotateApiKeyInput = inputType('RotateApiKeyInput', rotateApiKeyInput, {
  description: 'An API key to rotate.',
  types: { id: 'ID' },
});

const CreateApiKeyInput = inputType('CreateApiKeyInput', createApiKeyInput, {
  description: 'A new API key of the current center.',
  descriptions: { name: 'The name.', ratePerMinute: 'Requests per minute, at most 6000.' },
});

const RevokeApiKeyInput = idInput('RevokeApiKeyInput', 'An API key to revoke.', 'The id of the API key.');

builder.queryField('apiKeys', (t) =>
  t.connection(
    {
      type: ApiKey,
      description: "The center's API keys, newest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { roles: ['ADMIN'], feature: 'proofApi' } },
      resolve: async (_, args, ctx, info) => ({
        ...(await rowsById('key', { args, ctx, info }, (window, query) =>
          ctx.db.apiKey.findMany({ ...query, ...newestFirst(window) }),
        )),
        totalCount: () => ctx.db.apiKey.count({ take: MOST_COUNTED }),
      }),
    },
    counted(),
  ),
);

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKey,
    description: 'Creates an API key for the current center.',
    authScopes: { access: { roles: ['ADMIN'], feature: 'proofApi' } },
    args: inputArg(CreateApiKeyInput, 'The new key.'),
    resolve: (_, { input }, ctx) => createApiKey(ctx, input),
  }),
  rotateApiKey: t.field({
    type: RotatedApiKey,
    description: 'Rotates an API key. The old key keeps working for the chosen overlap.',
    authScopes: { access: { roles: ['ADMIN'], feature: 'proofApi' } },
    args: inputArg(RotateApiKeyInput, 'The key to rotate.'),
    resolve: (_, { input }, ctx) => rotateApiKey(ctx, input),
  }),
  revokeApiKey: t.field({
    type: ApiKey,
    description: 'Revokes an API key immediately.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(RevokeApiKeyInput, 'The API key to revoke.'),
    resolve: (_, { input }, ctx) => revokeApiKey(ctx, input.id),
  }),
}));
