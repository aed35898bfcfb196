import { keysSigningAt } from '@countersign/proof-kit';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/checkpoints/keys/published.ts';
import { builder } from '../builder.ts';

export const SigningKey = builder.objectRef<PublishedKeys['keys'][number]>('SigningKey').implement({
  description: 'A key with which the service signs checkpoints.',
  fields: (t) => ({
    keyId: t.exposeID('keyId', { description: 'The id that signature lines carry.' }),
    name: t.exposeString('name', { description: 'The name that signature lines carry: the service.' }),
    vkey: t.exposeString('vkey', { description: 'The key as verifiers take it (C2SP signed-note).' }),
    publicKey: t.exposeString('publicKey', { description: 'The 32 bytes of the key in base64.' }),
    from: t.exposeString('from', { description: 'Since when it signs, in ISO 8601.' }),
    until: t.exposeString('until', {
      nullable: true,
      description: 'Until when it signed, in ISO 8601; null while it does.',
    }),
    signs: t.boolean({
      description: 'Whether it signs now; during the overlap of a rotation two do.',
      resolve: (key) => keysSigningAt([key], new Date()).length > 0,
    }),
    vouched: t.exposeBoolean('vouched', {
      description: 'Whether an unbroken row of signatures leads to it from the first key.',
    }),
    signedBy: t.exposeString('signedBy', {
      nullable: true,
      description: 'The key that vouched for it; null for one that replaced a lost key.',
    }),
  }),
});

builder.queryField('signingKeys', (t) =>
  t.field({
    type: [SigningKey],
    description:
      'The keys of this service, newest first, as /.well-known/countersign-keys.json publishes them.',
    authScopes: { access: { public: true } },
    complexity: 20,
    resolve: async (_, __, ctx) => [...(await publishedKeys(ctx.app)).keys],
  }),
);
