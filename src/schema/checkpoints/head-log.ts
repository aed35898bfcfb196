import { keysSigningAt } from '@countersign/proof-kit';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/keys/published.ts';
import { type LogState, readLogState } from '../../domain/ledger/signing/state.ts';
import type { WitnessReport } from '../../domain/ledger/witnesses/submit.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { properties } from '../exposed.ts';

export const SigningKey = builder.objectRef<PublishedKeys['keys'][number]>('SigningKey').implement({
  description: 'A key that signs checkpoints, log heads and receipts.',
  fields: (t) => ({
    ...properties(t, {
      keyId: ['ID', 'The id of the key in signature lines, eight hex digits.'],
      name: ['String', 'The name of the signer in signature lines.'],
      vkey: ['String', 'The verifier key (C2SP signed-note).'],
      publicKey: ['String', 'The public key (32 bytes) in base64.'],
      from: ['String', 'When the key started signing, in ISO 8601 UTC.'],
      until: ['String?', 'When the key stopped signing, in ISO 8601 UTC; null while it signs.'],
      vouched: ['Boolean', 'Whether an unbroken chain of signatures leads to it from the first key.'],
      signedBy: [
        'String?',
        'The id of the key that vouched for it; null for the first key and for a replacement of a lost key.',
      ],
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
      name: ['String', 'The name of the witness in its signature lines.'],
      vkey: ['String', 'The key by which its cosignatures are verified (C2SP signed-note).'],
      url: ['String', 'The address that heads are sent to.'],
      cosignedAt: ['DateTime?', 'When it last cosigned a head, in UTC; null before the first time.'],
      current: ['Boolean', 'Whether it has cosigned the newest head, apart from heads of the last seconds.'],
    }),
    cosignedSize: t.exposeInt('size', {
      description: 'The size of the newest head that it cosigned; 0 for none.',
    }),
    lastError: t.exposeString('error', {
      nullable: true,
      description: 'Why the last request for a cosignature failed; null if it succeeded.',
    }),
  }),
});

const SigningStatus = enumType<'OK' | 'REFUSED'>(
  'SigningStatus',
  'Whether the service signs checkpoints and heads.',
  {
    OK: 'The service signs at every interval.',
    REFUSED: 'Signing is refused because keys or history do not match what was signed before.',
  },
);

const HeadLog = builder.objectRef<LogState>('HeadLog').implement({
  description: 'The transparency log of this installation: head, witnesses and keys.',
  fields: (t) => ({
    ...properties(t, {
      origin: ['String', 'The first line of its heads, which names the log.'],
      witnesses: [[LogWitness], 'The configured witnesses, in the order of the configuration.'],
      keys: [[SigningKey], 'All signing keys, newest first; empty if their history cannot be read.'],
    }),
    size: t.int({
      description: 'The number of checkpoints that the published head covers.',
      resolve: ({ head }) => head?.size ?? 0,
    }),
    rootHash: t.string({
      nullable: true,
      description: 'The root of the tree in hex; null before the first head.',
      resolve: ({ head }) => head?.rootHash ?? null,
    }),
    signedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the published head was signed, in UTC; null before the first head.',
      resolve: ({ head }) => head?.createdAt ?? null,
    }),
    note: t.string({
      nullable: true,
      description:
        'The published head with its cosignatures, as served at /log/checkpoint; null before the first head.',
      resolve: ({ head }) => head?.note ?? null,
    }),
    signing: t.field({
      type: SigningStatus,
      description: 'Whether the service signs checkpoints and heads.',
      resolve: ({ refused }) => (refused ? 'REFUSED' : 'OK'),
    }),
    refusedBecause: t.string({
      nullable: true,
      description: 'Why the service refuses to sign; null while it signs.',
      resolve: ({ refused }) => refused?.reason ?? null,
    }),
    refusedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when the service refuses to sign, in UTC; null while it signs.',
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
