import { z } from 'zod';
import * as enums from '../../db/generated/prisma/enums.ts';
import {
  domainsOf,
  type ChainRecord as Link,
  MOST_AROUND,
  neighborhood,
  type OwnChain,
  ownChains,
  recordsAround,
} from '../../domain/ledger/chains/own-chains.ts';
import { checkpointNow } from '../../domain/ledger/signing/proofs.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionOf, nodeQuery } from '../connections.ts';
import { ChainDomain } from '../enums.ts';
import { columns, onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const Chain = builder.objectRef<OwnChain>('Chain').implement({
  description: 'A hash chain of the center and its newest checkpoint.',
  fields: (t) => ({
    ...properties(t, {
      domain: [ChainDomain, 'Which chain of the center it is.'],
      origin: ['String?', 'The name of the chain in its checkpoints; null before the first one.'],
      headHash: ['String?', 'The hash of the last record in hex; null if the chain is empty.'],
    }),
    length: t.exposeInt('size', { description: 'The number of records on the chain.' }),
    lastCheckpoint: t.field({
      type: Checkpoint,
      nullable: true,
      description: 'The newest checkpoint; null before the first one.',
      resolve: ({ checkpoint }) => checkpoint,
    }),
    unsigned: t.int({
      description: 'The number of records not yet covered by a checkpoint.',
      resolve: ({ size, checkpoint }) => Math.max(0, size - (checkpoint?.size ?? 0)),
    }),
  }),
});

builder.queryField('chains', (t) =>
  t.field({
    type: [Chain],
    description: 'The chains of the center with head, length and newest checkpoint.',
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    resolve: (_, __, ctx) => ownChains(ctx),
  }),
);

const ChainRecord = builder.objectRef<Link>('ChainRecord').implement({
  description: 'A record of a hash chain. Its hash covers its content, the previous hash and its timestamp.',
  fields: onlyProperties({
    index: ['Int', 'The index on the chain, from 0.'],
    hash: ['String', 'The hash of this record in hex.'],
    previousHash: ['String?', 'The hash of the previous record in hex; null for the first.'],
    timestamp: ['String', 'The timestamp exactly as hashed, in ISO 8601 UTC with milliseconds.'],
    content: ['String', 'The content exactly as hashed; empty after erasure.'],
    dpuId: ['ID?', 'The id of the decision proof unit that it belongs to, `dpu_…`; null if none.'],
    eventId: ['ID?', 'The id of the decision event that it seals, `evt_…`; null if none.'],
  }),
});

builder.queryField('chainRecords', (t) =>
  t.field({
    type: [ChainRecord],
    description: 'Records of a chain around a position, in order.',
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: {
      domain: t.arg({ type: ChainDomain, required: true, description: 'The chain to read.' }),
      around: t.arg.int({
        required: true,
        validate: neighborhood.shape.index,
        description: 'The index of the record in the middle, from 0.',
      }),
      radius: t.arg.int({
        defaultValue: 3,
        validate: neighborhood.shape.radius.nullish(),
        description: `How many records before and after it, at most ${MOST_AROUND}.`,
      }),
    },
    resolve: (_, { domain, around, radius }, ctx) =>
      recordsAround(ctx, domain, { index: around, radius: radius ?? 3 }),
  }),
);

const domainOf = makeLoader(domainsOf);

export const Checkpoint = builder.prismaNode('Checkpoint', {
  id: { field: 'id', description: 'The id of the checkpoint, `chk_…`.' },
  description: "A signed statement of a chain's size and Merkle root.",
  fields: (t) => ({
    ...columns(t, {
      size: 'The number of records that it covers, from the first on.',
      rootHash: 'The root of the RFC 9162 Merkle tree over the hashes of those records, in hex.',
      headHash: 'The hash of the last covered record in hex.',
      note: 'The signed text (C2SP tlog-checkpoint): origin, size, root, signature.',
      keyId: 'The id of the key that signed it, as published at /.well-known/countersign-keys.json.',
      createdAt: 'When the checkpoint was signed, in UTC.',
    }),
    domain: t.field({
      type: ChainDomain,
      description: 'Which chain of the center it covers.',
      // Not a relation: checkpoints loaded with their chain would be read again one by one.
      resolve: async ({ chainId }, _, ctx) => (await domainOf(ctx, chainId))!,
    }),
  }),
});

const MakeCheckpointInput = inputType(
  'MakeCheckpointInput',
  z.object({ domain: z.enum(enums.ChainDomain).describe('The chain to sign a checkpoint for.') }),
  { description: 'Which chain to sign.', types: { domain: ChainDomain } },
);

const SIZE_AND_ID = /^(\d{1,9}):(chk_[0-9a-z]{26,27})$/;

/** Two checkpoints have the same size if a chain stood still while its signing key was replaced. */
const bySizeAndId = (domain: string) => ({
  toCursor: ({ size, id }: { size: number; id: string }) => `checkpoint:${domain}:${size}:${id}`,
  fromCursor: (cursor: string) => {
    const list = `checkpoint:${domain}:`;
    const [, size, id] = SIZE_AND_ID.exec(cursor.startsWith(list) ? cursor.slice(list.length) : '') ?? [];
    return size && id ? { size: Number(size), id } : null;
  },
});

builder.queryFields((t) => ({
  checkpoints: t.connection({
    type: Checkpoint,
    description: "The checkpoints of one of the center's chains, newest first.",
    extensions: { fromReplica: true },
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: {
      domain: t.arg({
        type: ChainDomain,
        required: true,
        description: 'The chain whose checkpoints to list.',
      }),
    },
    resolve: (_, { domain, ...args }, ctx, info) =>
      connectionOf({
        args,
        ...bySizeAndId(domain),
        load: ({ after, before, limit, inverted }) =>
          ctx.db.checkpoint.findMany({
            ...nodeQuery(ctx, info),
            where: {
              chain: { domain },
              AND: [
                after
                  ? { OR: [{ size: { lt: after.size } }, { size: after.size, id: { lt: after.id } }] }
                  : {},
                before
                  ? { OR: [{ size: { gt: before.size } }, { size: before.size, id: { gt: before.id } }] }
                  : {},
              ],
            },
            orderBy: [{ size: inverted ? 'asc' : 'desc' }, { id: inverted ? 'asc' : 'desc' }],
            take: limit,
          }),
      }),
  }),
  checkpoint: t.prismaField({
    type: Checkpoint,
    nullable: true,
    description: "A checkpoint of one of the center's chains.",
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: { id: t.arg.id({ required: true, description: 'The id of the checkpoint, `chk_…`.' }) },
    resolve: (query, _, { id }, ctx) => ctx.db.checkpoint.findUnique({ ...query, where: { id: String(id) } }),
  }),
}));

builder.mutationField('makeCheckpoint', (t) =>
  t.field({
    type: Checkpoint,
    description: 'Signs a checkpoint of a chain now instead of at the next interval.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(MakeCheckpointInput, 'The chain to sign a checkpoint for.'),
    resolve: (_, { input }, ctx) => checkpointNow(ctx, input.domain),
  }),
);
