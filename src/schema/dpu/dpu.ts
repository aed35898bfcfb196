import { checkAccess } from '../../domain/access.ts';
import { ownCenter } from '../../domain/centers/read-centers.ts';
import { dpuStats, type DpuStats as Stats } from '../../domain/dpus/counts.ts';
import { findDpu, readDpu } from '../../domain/dpus/dpu.ts';
import type { DpuView } from '../../domain/dpus/dpu-row.ts';
import { countDpus, listDpus } from '../../domain/dpus/list-dpus.ts';
import { responsibility } from '../../domain/proof/responsibility.ts';
import type { SixW } from '../../domain/proof/six-w.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { connectionById } from '../connections.ts';
import { ChainDomain, EvidenceLevel, Vertical } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

/** Who reads decision records: those who work in the center, and systems with a key of it. */
export const dpuReaders = { roles: ['ADMIN', 'INSTRUCTOR'], apiKey: 'proof:read' } as const;
export const dpuWriters = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

export const Dpu = builder.objectRef<DpuView>('Dpu');

builder.node(Dpu, {
  description: 'A decision proof unit: a decision record, tied into a hash chain.',
  id: { resolve: ({ id }) => id, description: 'Its id, unique among everything there is.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'chainHash' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, dpuReaders);
    return findDpu(ctx, id);
  },
  fields: (t) => ({
    center: t.field({
      type: Center,
      description: 'The center whose decision it is.',
      resolve: (_, __, ctx) => ownCenter(ctx),
    }),
    content: t.exposeString('content', { description: 'The decision: the exact text that was hashed.' }),
    evidenceLevel: t.expose('evidenceLevel', {
      type: EvidenceLevel,
      description: 'How far it has come; AUDIT_READY seals it.',
    }),
    domain: t.expose('domain', { type: ChainDomain, description: 'The chain it stands on.' }),
    chainIndex: t.exposeInt('chainIndex', { description: 'Its place on the chain, from 0.' }),
    chainHash: t.exposeString('chainHash', {
      description: 'SHA-256 over content, previous hash and timestamp, as hex.',
    }),
    previousHash: t.exposeString('previousHash', {
      nullable: true,
      description: 'The hash of the record before it; null for the first.',
    }),
    timestamp: t.exposeString('timestamp', {
      description: 'The moment as it was hashed, in UTC with milliseconds.',
    }),
    vertical: t.expose('vertical', { type: Vertical, description: 'The line of business it comes from.' }),
    aiGenerated: t.exposeBoolean('aiGenerated', {
      description: 'Whether an AI wrote the content; only a person raises it then.',
    }),
    referenceType: t.exposeString('referenceType', {
      nullable: true,
      description: 'What kind of thing it is about.',
    }),
    referenceId: t.exposeString('referenceId', {
      nullable: true,
      description: 'The id of the thing it is about.',
    }),
    actorId: t.exposeString('actorId', { nullable: true, description: 'Who made or sealed it.' }),
    tags: t.exposeStringList('tags', { description: 'Words to find it by.' }),
    metadata: t.expose('metadata', { type: 'JSON', description: 'What was noted beside it; not hashed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    sealedAt: t.expose('sealedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it became AUDIT_READY.',
    }),
  }),
});

const CenterDpuStats = builder.objectRef<Stats['center']>('CenterDpuStats').implement({
  description: 'Counts of the current center.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'How many there are at all levels together.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'How many at each level.' }),
  }),
});

export const DpuStats = builder.objectRef<Stats>('DpuStats').implement({
  description: 'How many decision proof units there are.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'All of them, in every center.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'How many at each level.' }),
    byVertical: t.expose('byVertical', { type: 'JSON', description: 'How many in each line of business.' }),
    center: t.expose('center', { type: CenterDpuStats, description: 'Those of the current center.' }),
  }),
});

export const Responsibility = builder.objectRef<SixW>('Responsibility').implement({
  description: 'Who answers for a decision, in six questions.',
  fields: (t) => ({
    who: t.expose('who', { type: 'JSON', description: 'Who decided, approved and reviewed.' }),
    what: t.expose('what', { type: 'JSON', description: 'What was decided, and about what.' }),
    when: t.expose('when', { type: 'JSON', description: 'When it happened, was recorded and sealed.' }),
    where: t.expose('where', {
      type: 'JSON',
      description: 'In which center, on which chain, at which place.',
    }),
    why: t.expose('why', { type: 'JSON', description: 'For which reasons, under which policy.' }),
    how: t.expose('how', { type: 'JSON', description: 'By which means, with which proof.' }),
  }),
});

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
