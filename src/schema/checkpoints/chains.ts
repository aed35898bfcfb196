import { type OwnChain, ownChains } from '../../domain/ledger/own-chains.ts';
import { builder } from '../builder.ts';
import { ChainDomain } from '../enums.ts';
import { Checkpoint } from './checkpoints.ts';

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
