import { checkpointNow } from '../../domain/ledger/checkpoints/proofs.ts';
import {
  type ChainRecord as Link,
  MOST_AROUND,
  neighbourhood,
  recordsAround,
} from '../../domain/ledger/neighbours.ts';
import { domainsOf, type OwnChain, ownChains } from '../../domain/ledger/own-chains.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { ChainDomain } from '../enums.ts';

const Chain = builder.objectRef<OwnChain>('Chain').implement({
  description: "One of the center's hash chains, and what was last signed about it.",
  fields: (t) => ({
    domain: t.expose('domain', { type: ChainDomain, description: 'Which of the chains it is.' }),
    origin: t.exposeString('origin', {
      nullable: true,
      description: 'The name under which checkpoints speak of it; null until the first one.',
    }),
    length: t.exposeInt('size', { description: 'How many records it has.' }),
    headHash: t.exposeString('headHash', {
      nullable: true,
      description: 'The hash of its last record, in hex; null without one.',
    }),
    lastCheckpoint: t.field({
      type: Checkpoint,
      nullable: true,
      description: 'The newest signed state of it; null before the first.',
      resolve: ({ checkpoint }) => checkpoint,
    }),
    unsigned: t.int({
      description: 'How many of its records no checkpoint covers yet.',
      resolve: ({ size, checkpoint }) => Math.max(0, size - (checkpoint?.size ?? 0)),
    }),
  }),
});

builder.queryField('chains', (t) =>
  t.field({
    type: [Chain],
    description: "The center's chains, each with its head, its length and its newest checkpoint.",
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    resolve: (_, __, ctx) => ownChains(ctx),
  }),
);

const ChainRecord = builder.objectRef<Link>('ChainRecord').implement({
  description: 'A link of a hash chain: its hash is that of its content, the hash before and its time.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place on the chain, from 0.' }),
    hash: t.exposeString('hash', { description: 'Its hash, in hex.' }),
    previousHash: t.exposeString('previousHash', {
      nullable: true,
      description: 'The hash of the record before; null for the first.',
    }),
    timestamp: t.exposeString('timestamp', { description: 'Its time, exactly as it was hashed.' }),
    content: t.exposeString('content', {
      description: 'Its content, exactly as it was hashed; empty once it was erased.',
    }),
    dpuId: t.exposeID('dpuId', { nullable: true, description: 'The decision proof unit it belongs to.' }),
    eventId: t.exposeID('eventId', { nullable: true, description: 'The decision that it seals.' }),
  }),
});

builder.queryField('chainRecords', (t) =>
  t.field({
    type: [ChainRecord],
    description: "A record of one of the center's chains and those around it, in order.",
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: {
      domain: t.arg({ type: ChainDomain, required: true, description: 'Which of the chains to look into.' }),
      around: t.arg.int({
        required: true,
        validate: neighbourhood.shape.index,
        description: 'The place of the record in the middle.',
      }),
      radius: t.arg.int({
        defaultValue: 3,
        validate: neighbourhood.shape.radius.nullish(),
        description: `How many before and after it; at most ${MOST_AROUND}.`,
      }),
    },
    resolve: (_, { domain, around, radius }, ctx) =>
      recordsAround(ctx, domain, { index: around, radius: radius ?? 3 }),
  }),
);

const domainOf = loadTogether(domainsOf);

export const Checkpoint = builder.prismaNode('Checkpoint', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'A signed statement that a chain had this size and this Merkle root.',
  fields: (t) => ({
    domain: t.field({
      type: ChainDomain,
      description: 'Which of the chains it is about.',
      // Not by a relation: a checkpoint that comes with its chain would be read again, each by itself.
      resolve: async ({ chainId }, _, ctx) => (await domainOf(ctx, chainId))!,
    }),
    size: t.exposeInt('size', { description: 'How many records it covers.' }),
    rootHash: t.exposeString('rootHash', {
      description: 'The root of the RFC 9162 Merkle tree over the hashes of those records, in hex.',
    }),
    headHash: t.exposeString('headHash', { description: 'The hash of the last record it covers, in hex.' }),
    note: t.exposeString('note', {
      description: 'The signed text (C2SP tlog-checkpoint): origin, size, root, signature.',
    }),
    keyId: t.exposeString('keyId', {
      description: 'The id of the key that signed it, as published at /.well-known/countersign-keys.json.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was signed.' }),
  }),
});

const MakeCheckpointInput = builder.inputType('MakeCheckpointInput', {
  description: 'Which chain to sign a checkpoint of, now.',
  fields: (t) => ({
    domain: t.field({ type: ChainDomain, required: true, description: 'Which of the chains of the center.' }),
  }),
});

builder.queryFields((t) => ({
  checkpoints: t.prismaConnection({
    type: Checkpoint,
    cursor: 'id',
    extensions: keyedBy('chk'),
    description: "The checkpoints of one of the center's chains, newest first.",
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: {
      domain: t.arg({ type: ChainDomain, required: true, description: 'Which of the chains of the center.' }),
    },
    resolve: (query, _, { domain }, ctx) =>
      ctx.db.checkpoint.findMany({ ...query, where: { chain: { domain } }, orderBy: { size: 'desc' } }),
  }),
  checkpoint: t.prismaField({
    type: Checkpoint,
    nullable: true,
    description: "A checkpoint of one of the center's chains.",
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: { id: t.arg.id({ required: true, description: 'The id of the checkpoint.' }) },
    resolve: (query, _, { id }, ctx) => ctx.db.checkpoint.findUnique({ ...query, where: { id: String(id) } }),
  }),
}));

builder.mutationField('makeCheckpoint', (t) =>
  t.field({
    type: Checkpoint,
    description: 'Signs the present state of a chain now instead of at the next tick of the timer.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: MakeCheckpointInput,
        required: true,
        description: 'Which of the chains of the center.',
      }),
    },
    resolve: (_, { input }, ctx) => checkpointNow(ctx, input.domain),
  }),
);
