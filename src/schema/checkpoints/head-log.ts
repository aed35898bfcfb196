import { type LogState, readLogState } from '../../domain/ledger/checkpoints/log/state.ts';
import type { WitnessReport } from '../../domain/ledger/checkpoints/witnesses/submit.ts';
import { builder } from '../builder.ts';
import { SigningKey } from './signing-keys.ts';

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
