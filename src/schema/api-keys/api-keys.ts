import {
  createApiKey,
  createApiKeyInput,
  keyScopes,
  matchingKeys,
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
  id: { field: 'id', description: 'The id of the API key, `key_…`.' },
  description: 'An API key of the center for the Proof API. The secret itself is not stored.',
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    ...columns(t, {
      name: 'The name that people see.',
      publicId: 'The public part of the key: the 8 characters after `csk_`, by which people recognize it.',
      scopes: `What it may do: ${keyScopes.join(', ')}.`,
      ratePerMinute: 'Requests per minute; null uses the default limit.',
      createdAt: 'When the API key was created, in UTC.',
      expiresAt: 'When the API key stops working; null if it never does.',
      revokedAt: 'When it was revoked; null if it was not.',
      lastUsedAt: 'When the key was last used, to the minute; null if it was not.',
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
  description: 'A new API key with its secret, which is shown only here.',
  fields: onlyProperties({
    apiKey: [ApiKey, 'The key as it is stored, without its secret.'],
    plaintext: ['String', 'The secret key, `csk_…`; shown only once.'],
  }),
});

const RotatedApiKey = builder.objectRef<Awaited<ReturnType<typeof rotateApiKey>>>('RotatedApiKey').implement({
  description: 'A rotated API key and its successor.',
  fields: onlyProperties({
    apiKey: [ApiKey, 'The new API key, with the name, scopes, rate and expiry of the old one.'],
    previous: [ApiKey, 'The old key, with the time at which it stops working.'],
    plaintext: ['String', 'The new secret key, `csk_…`; shown only once.'],
  }),
});

const RotateApiKeyInput = inputType('RotateApiKeyInput', rotateApiKeyInput, {
  description: 'The API key to replace, and how long it keeps working.',
  types: { id: 'ID' },
});

const CreateApiKeyInput = inputType('CreateApiKeyInput', createApiKeyInput, {
  description: 'The name, the scopes and the limits of a new API key.',
});

const RevokeApiKeyInput = idInput(
  'RevokeApiKeyInput',
  'The API key that stops working.',
  'The id of the API key, `key_…`.',
);

builder.queryField('apiKeys', (t) =>
  t.connection(
    {
      type: ApiKey,
      description: "The center's API keys, newest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { roles: ['ADMIN'], feature: 'proofApi' } },
      args: {
        search: t.arg.string({
          description: 'Only keys whose name or public id contains this text, in any case.',
        }),
        usable: t.arg.boolean({
          description: 'True for keys that are neither expired nor revoked, false for the others.',
        }),
      },
      resolve: async (_, args, ctx, info) => ({
        ...(await rowsById('key', { args, ctx, info }, (window, query) =>
          ctx.db.apiKey.findMany({ ...query, ...newestFirst(window, matchingKeys(ctx, args)) }),
        )),
        totalCount: () => ctx.db.apiKey.count({ where: matchingKeys(ctx, args), take: MOST_COUNTED }),
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
    args: inputArg(CreateApiKeyInput, 'The name, the scopes and the limits of the new key.'),
    resolve: (_, { input }, ctx) => createApiKey(ctx, input),
  }),
  rotateApiKey: t.field({
    type: RotatedApiKey,
    description: 'Rotates an API key. The old key keeps working for the chosen overlap.',
    authScopes: { access: { roles: ['ADMIN'], feature: 'proofApi' } },
    args: inputArg(RotateApiKeyInput, 'The key to replace, and how long it keeps working.'),
    resolve: (_, { input }, ctx) => rotateApiKey(ctx, input),
  }),
  revokeApiKey: t.field({
    type: ApiKey,
    description: 'Revokes an API key immediately.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(RevokeApiKeyInput, 'The key, which stops working at once.'),
    resolve: (_, { input }, ctx) => revokeApiKey(ctx, input.id),
  }),
}));
