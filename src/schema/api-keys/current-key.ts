import { currentKey } from '../../domain/api-keys/current-key.ts';
import { keyScopes } from '../../domain/api-keys/keys.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';

const CurrentApiKey = builder.objectRef<Awaited<ReturnType<typeof currentKey>>>('CurrentApiKey').implement({
  description: 'The API key that sent the request.',
  fields: onlyProperties({
    id: ['ID', 'The id of the API key, `key_…`.'],
    name: ['String', 'The name that people see.'],
    publicId: ['String', 'The public part of the key: the 8 characters after `csk_`.'],
    scopes: ['[String]', `What it may do: ${keyScopes.join(', ')}.`],
    ratePerMinute: ['Int?', 'Requests per minute; null uses the default limit.'],
    expiresAt: ['DateTime?', 'When the API key stops working; null if it never does.'],
    centerName: ['String', 'The name of the center that it belongs to.'],
    centerDomain: ['String', 'The domain slug of that center.'],
  }),
});

builder.queryField('currentApiKey', (t) =>
  t.field({
    type: CurrentApiKey,
    description: 'The API key of the caller, whatever its scopes are. People read `me` instead.',
    authScopes: { access: { apiKey: 'proof:read', requester: true } },
    resolve: (_, __, ctx) => currentKey(ctx),
  }),
);
