import {
  type ChainRecord as Link,
  MOST_AROUND,
  neighbourhood,
  recordsAround,
} from '../../domain/ledger/neighbours.ts';
import { builder } from '../builder.ts';
import { ChainDomain } from '../enums.ts';

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
