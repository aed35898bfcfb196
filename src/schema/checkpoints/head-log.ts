import { keysSigningAt } from '@countersign/proof-kit';
import { type PublishedKeys, publishedKeys } from '../../domain/ledger/checkpoints/keys/published.ts';
import { type LogState, readLogState } from '../../domain/ledger/checkpoints/log/state.ts';
import type { WitnessReport } from '../../domain/ledger/checkpoints/witnesses/submit.ts';
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

const LogWitness = builder.objectRef<WitnessReport>('LogWitness').implement({
  description: 'A witness that cosigns the heads of the log (C2SP tlog-witness).',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that its signature lines carry.' }),
    vkey: t.exposeString('vkey', { description: 'Its key as verifiers take it.' }),
    url: t.exposeString('url', { description: 'Where it is asked.' }),
    cosignedSize: t.exposeInt('size', {
      description: 'The size of the newest head that it has cosigned; 0 for none.',
    }),
    cosignedAt: t.expose('cosignedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last cosigned; null for never.',
    }),
    lastError: t.exposeString('error', {
      nullable: true,
      description: 'Why it did not cosign when it was last asked; null when it did.',
    }),
    current: t.exposeBoolean('current', {
      description: 'Whether it has cosigned the newest head, but for one of the last seconds.',
    }),
  }),
});

const SigningStatus = builder.enumType('SigningStatus', {
  description: 'Whether checkpoints are signed.',
  values: {
    OK: { value: 'OK', description: 'Everything that grew is signed.' },
    REFUSED: {
      value: 'REFUSED',
      description: 'Nothing, or not everything, is signed: keys or histories are not what they were.',
    },
  } as const,
});

const HeadLog = builder.objectRef<LogState>('HeadLog').implement({
  description: 'The log of all checkpoints of this installation: its head, its witnesses and its keys.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'The name under which its heads are signed.' }),
    size: t.int({
      description: 'How many checkpoints the published head covers; 0 before the first.',
      resolve: ({ head }) => head?.size ?? 0,
    }),
    rootHash: t.string({
      nullable: true,
      description: 'The root of the tree over them, in hex; null before the first.',
      resolve: ({ head }) => head?.rootHash ?? null,
    }),
    signedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the published head was signed; null before the first.',
      resolve: ({ head }) => head?.createdAt ?? null,
    }),
    note: t.string({
      nullable: true,
      description: 'The published head as it is served at /log/checkpoint, with its cosignatures.',
      resolve: ({ head }) => head?.note ?? null,
    }),
    witnesses: t.expose('witnesses', {
      type: [LogWitness],
      description: 'The witnesses that are configured, in that order.',
    }),
    keys: t.expose('keys', {
      type: [SigningKey],
      description: 'The keys that ever signed, newest first; none where their history cannot be read.',
    }),
    signing: t.field({
      type: SigningStatus,
      description: 'Whether signing goes on.',
      resolve: ({ refused }) => (refused ? 'REFUSED' : 'OK'),
    }),
    refusedBecause: t.string({
      nullable: true,
      description: 'Why nothing, or not everything, is signed; null when all is well.',
      resolve: ({ refused }) => refused?.reason ?? null,
    }),
    refusedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when; null when all is well.',
      resolve: ({ refused }) => refused?.since ?? null,
    }),
  }),
});

builder.queryField('headLog', (t) =>
  t.field({
    type: HeadLog,
    description: 'How it stands with the log of checkpoints, its witnesses and its keys.',
    authScopes: { access: { platformAdmin: true } },
    complexity: 50,
    resolve: (_, __, ctx) => readLogState(ctx.app),
  }),
);
