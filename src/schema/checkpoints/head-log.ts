import { keysSigningAt } from '@countersign/proof-kit';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/keys/published.ts';
import { type LogState, readLogState } from '../../domain/ledger/signing/state.ts';
import type { WitnessReport } from '../../domain/ledger/witnesses/submit.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { properties } from '../exposed.ts';

export const SigningKey = builder.objectRef<PublishedKeys['keys'][number]>('SigningKey').implement({
  description: 'A signing key of the service.',
  fields: (t) => ({
    ...properties(t, {
      keyId: ['ID', 'The key id in signature lines.'],
      name: ['String', 'The name in signature lines.'],
      vkey: ['String', 'The verifier key (C2SP signed-note).'],
      publicKey: ['String', 'The public key (32 bytes) in base64.'],
      from: ['String', 'When it started signing, in ISO 8601.'],
      until: ['String?', 'When it stopped signing, in ISO 8601, or null.'],
      vouched: ['Boolean', 'Whether an unbroken chain of signatures leads to it from the first key.'],
      signedBy: ['String?', 'The key that signed it in; null for a replacement of a lost key.'],
    }),
    signs: t.boolean({
      description: 'Whether it is active. During a rotation two keys are active.',
      resolve: (key) => keysSigningAt([key], new Date()).length > 0,
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

const LogWitness = builder.objectRef<WitnessReport>('LogWitness').implement({
  description: 'A witness that cosigns the heads of the log (C2SP tlog-witness).',
  fields: (t) => ({
    ...properties(t, {
      name: ['String', 'The name in its signature lines.'],
      vkey: ['String', 'The verifier key.'],
      url: ['String', 'The URL.'],
      cosignedAt: ['DateTime?', 'When it last cosigned, or null.'],
      current: ['Boolean', 'Whether it has cosigned the newest head, apart from heads of the last seconds.'],
    }),
    cosignedSize: t.exposeInt('size', {
      description: 'The size of the newest cosigned head; 0 for none.',
    }),
    lastError: t.exposeString('error', {
      nullable: true,
      description: 'Why the last request for a cosignature failed, or null.',
    }),
  }),
});

const SigningStatus = enumType<'OK' | 'REFUSED'>('SigningStatus', 'The status of signing.', {
  OK: 'Signing works.',
  REFUSED: 'Signing is refused because keys or history do not match what was signed before.',
});

const HeadLog = builder.objectRef<LogState>('HeadLog').implement({
  description: 'The transparency log of this installation: head, witnesses and keys.',
  fields: (t) => ({
    ...properties(t, {
      origin: ['String', 'The origin of its heads.'],
      witnesses: [[LogWitness], 'The configured witnesses, in order.'],
      keys: [[SigningKey], 'All signing keys, newest first; empty if their history cannot be read.'],
    }),
    size: t.int({
      description: 'The number of checkpoints that the published head covers.',
      resolve: ({ head }) => head?.size ?? 0,
    }),
    rootHash: t.string({
      nullable: true,
      description: 'The root of the tree in hex; null before the first checkpoint.',
      resolve: ({ head }) => head?.rootHash ?? null,
    }),
    signedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the published head was signed, or null.',
      resolve: ({ head }) => head?.createdAt ?? null,
    }),
    note: t.string({
      nullable: true,
      description: 'The published head with its cosignatures, as served at /log/checkpoint.',
      resolve: ({ head }) => head?.note ?? null,
    }),
    signing: t.field({
      type: SigningStatus,
      description: 'The status of signing.',
      resolve: ({ refused }) => (refused ? 'REFUSED' : 'OK'),
    }),
    refusedBecause: t.string({
      nullable: true,
      description: 'Why signing is refused, or null.',
      resolve: ({ refused }) => refused?.reason ?? null,
    }),
    refusedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when signing is refused, or null.',
      resolve: ({ refused }) => refused?.since ?? null,
    }),
  }),
});

builder.queryField('headLog', (t) =>
  t.field({
    type: HeadLog,
    description: 'The state of the transparency log, its witnesses and keys.',
    authScopes: { access: { platformAdmin: true } },
    complexity: 50,
    resolve: (_, __, ctx) => readLogState(ctx.app),
  }),
);
