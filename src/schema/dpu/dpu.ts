import { checkAccess } from '../../domain/access.ts';
import { ownCenter } from '../../domain/centers/own.ts';
import { findDpu } from '../../domain/dpus/dpu.ts';
import type { DpuView } from '../../domain/dpus/dpu-row.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { ChainDomain, EvidenceLevel, Vertical } from '../enums.ts';

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
