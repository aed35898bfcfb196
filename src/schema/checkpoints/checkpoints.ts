import { checkpointNow } from '../../domain/ledger/checkpoints/proofs.ts';
import { domainsOf } from '../../domain/ledger/own-chains.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { ChainDomain } from '../enums.ts';

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
