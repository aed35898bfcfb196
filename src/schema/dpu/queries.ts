import { dpuStats } from '../../domain/dpus/counts.ts';
import { readDpu } from '../../domain/dpus/dpu.ts';
import { countDpus, listDpus } from '../../domain/dpus/list-dpus.ts';
import { responsibility } from '../../domain/proof/responsibility.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { ChainDomain, EvidenceLevel } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../total-count.ts';
import { Dpu, dpuReaders, dpuWriters } from './dpu.ts';
import { DpuStats, Responsibility } from './views.ts';

builder.queryFields((t) => ({
  dpu: t.field({
    type: Dpu,
    description: 'A decision proof unit of the center.',
    authScopes: { access: dpuReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    resolve: (_, { id }, ctx) => readDpu(ctx, id),
  }),
  dpus: t.connection(
    {
      type: Dpu,
      description: "The center's decision proof units, newest first.",
      authScopes: { access: dpuReaders },
      args: {
        evidenceLevel: t.arg({ type: EvidenceLevel, description: 'Only those at this level.' }),
        domain: t.arg({ type: ChainDomain, description: 'Only those of this chain.' }),
        referenceType: t.arg.string({ description: 'Only those about this kind of thing.' }),
        referenceId: t.arg.string({ description: 'Only those about this thing.' }),
        tag: t.arg.string({ description: 'Only those with this tag.' }),
      },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('dpu', args, (window) => listDpus(ctx, args, window))),
        totalCount: () => countDpus(ctx, args),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
  dpuStats: t.field({
    type: DpuStats,
    description: 'How many decision proof units there are: everywhere, and in the center.',
    authScopes: { access: dpuWriters },
    resolve: (_, __, ctx) => dpuStats(ctx),
  }),
  dpuResponsibility: t.field({
    type: Responsibility,
    description: 'Who, what, when, where, why and how of a decision.',
    authScopes: { access: dpuWriters },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    resolve: (_, { id }, ctx) => responsibility(ctx, id),
  }),
}));
