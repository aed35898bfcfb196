import type { ScimToken as ScimTokenRow } from '../../db/generated/prisma/client.ts';
import {
  createScimToken,
  createScimTokenInput,
  listScimTokens,
  revokeScimToken,
  rotateScimToken,
  rotateScimTokenInput,
} from '../../domain/scim/tokens.ts';
import { builder } from '../builder.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { idInput, inputArg, inputType } from '../input-types.ts';

const admins = { roles: ['ADMIN'] } as const;

const ScimToken = builder.objectRef<ScimTokenRow>('ScimToken').implement({
  description: 'A token with which the directory of the center calls SCIM. The secret itself is not stored.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the SCIM token, `scm_…`, which audit entries name.' }),
    ...columnsOf('ScimToken', t, {
      name: 'The name that people see.',
      createdAt: 'When the token was created, in UTC.',
      expiresAt: 'When the token stops working; null if it never does.',
      lastUsedAt: 'When the directory last used it, to the minute; null if it did not.',
    }),
  }),
});

const NewScimToken = builder
  .objectRef<Awaited<ReturnType<typeof createScimToken>>>('NewScimToken')
  .implement({
    description: 'A new SCIM token with its secret, which is shown only here.',
    fields: onlyProperties({
      scimToken: [ScimToken, 'The token as it is stored, without its secret.'],
      plaintext: ['String', 'The secret token, `scim_…`; shown only once.'],
    }),
  });

const RotatedScimToken = builder
  .objectRef<Awaited<ReturnType<typeof rotateScimToken>>>('RotatedScimToken')
  .implement({
    description: 'A rotated SCIM token and its successor.',
    fields: onlyProperties({
      scimToken: [ScimToken, 'The new token, with the name and expiry of the old one.'],
      previous: [ScimToken, 'The old token, with the time at which it stops working.'],
      plaintext: ['String', 'The new secret token, `scim_…`; shown only once.'],
    }),
  });

const CreateScimTokenInput = inputType('CreateScimTokenInput', createScimTokenInput, {
  description: 'The name and the expiry of a new SCIM token.',
});

const RotateScimTokenInput = inputType('RotateScimTokenInput', rotateScimTokenInput, {
  description: 'The SCIM token to replace, and how long it keeps working.',
  types: { id: 'ID' },
});

const RevokeScimTokenInput = idInput(
  'RevokeScimTokenInput',
  'The SCIM token that stops working.',
  'The id of the SCIM token, `scm_…`.',
);

builder.queryField('scimTokens', (t) =>
  t.field({
    type: [ScimToken],
    description: 'The SCIM tokens of the center that work, newest first.',
    authScopes: { access: admins },
    resolve: (_, __, ctx) => listScimTokens(ctx),
  }),
);

builder.mutationFields((t) => ({
  createScimToken: t.field({
    type: NewScimToken,
    description: 'Creates a SCIM token for the directory of the center. Needs a recent proof of identity.',
    authScopes: { access: admins },
    args: inputArg(CreateScimTokenInput, 'The name and the expiry of the new token.'),
    resolve: (_, { input }, ctx) => createScimToken(ctx, input),
  }),
  rotateScimToken: t.field({
    type: RotatedScimToken,
    description:
      'Rotates a SCIM token. The old one keeps working for the chosen overlap. Needs a recent proof of identity.',
    authScopes: { access: admins },
    args: inputArg(RotateScimTokenInput, 'The token to replace, and how long it keeps working.'),
    resolve: (_, { input }, ctx) => rotateScimToken(ctx, input),
  }),
  revokeScimToken: t.field({
    type: ScimToken,
    description: 'Revokes a SCIM token immediately. Needs a recent proof of identity.',
    authScopes: { access: admins },
    args: inputArg(RevokeScimTokenInput, 'The token, which stops working at once.'),
    resolve: (_, { input }, ctx) => revokeScimToken(ctx, input.id),
  }),
}));
