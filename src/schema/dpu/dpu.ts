import { checkAccess } from '../../domain/access.ts';
import { ownCenter } from '../../domain/centers/read-centers.ts';
import { responsibility } from '../../domain/decisions/read/responsibility.ts';
import type { SixW } from '../../domain/decisions/read/six-w.ts';
import { dpuStats, type DpuStats as Stats } from '../../domain/dpus/counts.ts';
import { findDpu, readDpu } from '../../domain/dpus/dpu.ts';
import type { DpuView } from '../../domain/dpus/dpu-row.ts';
import { countDpus, listDpus } from '../../domain/dpus/list-dpus.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { connectionById } from '../connections.ts';
import { ChainDomain, EvidenceLevel, Vertical } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

/** Who may read decision records: staff of the center, and systems with one of its keys. */
const dpuReaders = { roles: ['ADMIN', 'INSTRUCTOR'], apiKey: 'proof:read' } as const;
export const dpuWriters = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

export const Dpu = builder.objectRef<DpuView>('Dpu');

builder.node(Dpu, {
  description: 'A decision proof unit (DPU): a decision record on a hash chain.',
  id: { resolve: ({ id }) => id, description: 'Globally unique id.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'chainHash' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, dpuReaders);
    return findDpu(ctx, id);
  },
  fields: (t) => ({
    center: t.field({
      type: Center,
      description: 'The center.',
      resolve: (_, __, ctx) => ownCenter(ctx),
    }),
    content: t.exposeString('content', { description: 'The content: the exact text that was hashed.' }),
    evidenceLevel: t.expose('evidenceLevel', {
      type: EvidenceLevel,
      description: 'The evidence level. AUDIT_READY is sealed.',
    }),
    domain: t.expose('domain', { type: ChainDomain, description: 'The chain.' }),
    chainIndex: t.exposeInt('chainIndex', { description: 'The index on the chain, from 0.' }),
    chainHash: t.exposeString('chainHash', {
      description: 'SHA-256 over content, previous hash and timestamp, as hex.',
    }),
    previousHash: t.exposeString('previousHash', {
      nullable: true,
      description: 'The hash of the previous record; null for the first.',
    }),
    timestamp: t.exposeString('timestamp', {
      description: 'The timestamp as hashed, in UTC with milliseconds.',
    }),
    vertical: t.expose('vertical', { type: Vertical, description: 'The vertical.' }),
    aiGenerated: t.exposeBoolean('aiGenerated', {
      description: 'Whether an AI wrote the content. If so, only a person can raise its level.',
    }),
    referenceType: t.exposeString('referenceType', {
      nullable: true,
      description: 'The kind of the related object.',
    }),
    referenceId: t.exposeString('referenceId', {
      nullable: true,
      description: 'The id of the related object.',
    }),
    actorId: t.exposeString('actorId', {
      nullable: true,
      description: 'The person, key or service that created or sealed it.',
    }),
    tags: t.exposeStringList('tags', { description: 'Tags for searching.' }),
    metadata: t.expose('metadata', { type: 'JSON', description: 'Metadata; not hashed.' }),
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
    total: t.exposeInt('total', { description: 'The total number.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'The number at each level.' }),
  }),
});

export const DpuStats = builder.objectRef<Stats>('DpuStats').implement({
  description: 'The number of decision proof units.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Of all centers.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'The number at each level.' }),
    byVertical: t.expose('byVertical', { type: 'JSON', description: 'The number per vertical.' }),
    center: t.expose('center', { type: CenterDpuStats, description: 'Of the current center.' }),
  }),
});

export const Responsibility = builder.objectRef<SixW>('Responsibility').implement({
  description: 'The responsibility for a decision, in six questions.',
  fields: (t) => ({
    who: t.expose('who', { type: 'JSON', description: 'Who decided, approved and reviewed.' }),
    what: t.expose('what', { type: 'JSON', description: 'What was decided.' }),
    when: t.expose('when', { type: 'JSON', description: 'When it was recorded and sealed.' }),
    where: t.expose('where', {
      type: 'JSON',
      description: 'Where: the center, chain and position.',
    }),
    why: t.expose('why', { type: 'JSON', description: 'Why: the reasons and the policy.' }),
    how: t.expose('how', { type: 'JSON', description: 'How: the means and the proof.' }),
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
      extensions: { fromReplica: true },
      authScopes: { access: dpuReaders },
      args: {
        evidenceLevel: t.arg({ type: EvidenceLevel, description: 'Only units at this level.' }),
        domain: t.arg({ type: ChainDomain, description: 'Only units of this chain.' }),
        referenceType: t.arg.string({ description: 'Only units about this kind of object.' }),
        referenceId: t.arg.string({ description: 'Only units about this object.' }),
        tag: t.arg.string({ description: 'Only units with this tag.' }),
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
    description: 'The number of decision proof units, in total and in the center.',
    extensions: { fromReplica: true },
    authScopes: { access: dpuWriters },
    resolve: (_, __, ctx) => dpuStats(ctx),
  }),
  dpuResponsibility: t.field({
    type: Responsibility,
    description: 'The who, what, when, where, why and how of a decision.',
    authScopes: { access: dpuWriters },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit.' }) },
    resolve: (_, { id }, ctx) => responsibility(ctx, id),
  }),
}));
