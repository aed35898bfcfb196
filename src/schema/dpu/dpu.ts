import { DECISION_DOMAIN } from '@countersign/proof-kit';
import type { RequestContext } from '../../api/request-context.ts';
import { checkAccess } from '../../domain/access.ts';
import { ownCenter } from '../../domain/centers/read-centers.ts';
import { requireSeat } from '../../domain/decisions/approve/seats.ts';
import { getDecisionEvent } from '../../domain/decisions/read/list-events.ts';
import { responsibility } from '../../domain/decisions/read/responsibility.ts';
import type { SixW } from '../../domain/decisions/read/six-w.ts';
import { dpuStats, type DpuStats as Stats } from '../../domain/dpus/counts.ts';
import { findDpu, readDpu } from '../../domain/dpus/dpu.ts';
import type { DpuView } from '../../domain/dpus/dpu-row.ts';
import { countDpus, listDpus } from '../../domain/dpus/list-dpus.ts';
import { readsDecisions, withheldColumns } from '../../domain/dpus/withheld.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { connectionById } from '../connections.ts';
import { ChainDomain, EvidenceLevel, Vertical } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { counted } from '../paging.ts';

/** Who may read decision records: staff of the center, and systems with one of its keys. */
const dpuReaders = { roles: ['ADMIN', 'INSTRUCTOR'], apiKey: 'proof:read' } as const;
export const dpuWriters = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

export const Dpu = builder.objectRef<DpuView>('Dpu');

builder.node(Dpu, {
  description: 'A decision proof unit (DPU): a decision record on a hash chain.',
  id: { resolve: ({ id }) => id, description: 'The id of the decision proof unit, `dpu_…`.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'chainHash' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, dpuReaders);
    return findDpu(ctx, id);
  },
  fields: (t) => ({
    ...properties(t, {
      content: ['String', 'The exact text that was hashed; empty after erasure.'],
      evidenceLevel: [EvidenceLevel, 'The evidence level. AUDIT_READY is sealed.'],
      domain: [ChainDomain, 'The hash chain of the center that the record is on.'],
      chainIndex: ['Int', 'The index on the chain, from 0.'],
      chainHash: ['String', 'SHA-256 over content, previous hash and timestamp, as hex.'],
      previousHash: ['String?', 'The hash of the previous record; null for the first.'],
      timestamp: ['String', 'The timestamp as hashed, in UTC with milliseconds.'],
      vertical: [Vertical, 'The line of business of its center.'],
      aiGenerated: ['Boolean', 'Whether an AI wrote the content. If so, only a person can raise its level.'],
      referenceType: [
        'String?',
        'What kind of object it is about, such as `lms-attendance`; null if it is about none.',
      ],
      referenceId: ['String?', 'The id of the object it is about; null if it is about none.'],
      createdAt: ['DateTime', 'When the record was appended to its chain, in UTC.'],
      sealedAt: ['DateTime?', 'When it became AUDIT_READY; null until then.'],
    }),
    actorId: t.string({
      nullable: true,
      description:
        'The person, key or service that created or sealed it; null if the caller may not read the decision.',
      resolve: (dpu, _, ctx) => withheldColumns(ctx, dpu).actorId,
    }),
    tags: t.stringList({
      description: 'Tags to search by; empty if the caller may not read the decision.',
      resolve: (dpu, _, ctx) => withheldColumns(ctx, dpu).tags,
    }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Notes attached with `updateDpu`, at most 256 KiB; not part of the chain hash. Only ids if the caller may not read the decision.',
      resolve: (dpu, _, ctx) => withheldColumns(ctx, dpu).metadata,
    }),
    center: t.field({
      type: Center,
      description: 'The center that the record belongs to.',
      resolve: (_, __, ctx) => ownCenter(ctx),
    }),
  }),
});

const CenterDpuStats = builder.objectRef<Stats['center']>('CenterDpuStats').implement({
  description: 'The number of decision proof units in the current center.',
  fields: onlyProperties({
    total: ['Int', 'How many the current center has.'],
    byEvidenceLevel: ['JSON', 'The number for each evidence level, such as `{ "DRAFT": 3 }`.'],
  }),
});

export const DpuStats = builder.objectRef<Stats>('DpuStats').implement({
  description: 'The number of decision proof units, of all centers and of the current one.',
  fields: onlyProperties({
    total: ['Int', 'How many all centers have together.'],
    byEvidenceLevel: [
      'JSON',
      'The number for each evidence level, such as `{ "DRAFT": 3 }`, of all centers.',
    ],
    byVertical: ['JSON', 'The number for each vertical, of all centers.'],
    center: [CenterDpuStats, 'The same counts for the current center.'],
  }),
});

/** The responsibility for a decision is its content, so it follows the rules of the field `decisionEvent`. */
async function requireReadable(ctx: RequestContext, id: string): Promise<void> {
  const { domain, referenceId } = await readDpu(ctx, id);
  if (domain !== DECISION_DOMAIN || readsDecisions(ctx)) return;
  await requireSeat(ctx, await getDecisionEvent(ctx, referenceId ?? ''), 'read');
}

export const Responsibility = builder.objectRef<SixW>('Responsibility').implement({
  description: 'The responsibility for a decision, in six questions.',
  fields: onlyProperties({
    who: ['JSON', 'Who decided, approved and reviewed.'],
    what: ['JSON', 'What was decided: the action, or the content of the record.'],
    when: ['JSON', 'When it was recorded and sealed.'],
    where: ['JSON', 'Where: the center, chain and position.'],
    why: ['JSON', 'Why: the reasons and the policy.'],
    how: ['JSON', 'How: the means and the proof.'],
  }),
});

builder.queryFields((t) => ({
  dpu: t.field({
    type: Dpu,
    description: 'A decision proof unit of the center.',
    authScopes: { access: dpuReaders },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit, `dpu_…`.' }) },
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
        tag: t.arg.string({ description: 'Only units that have exactly this tag.' }),
      },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('dpu', args, (window) => listDpus(ctx, args, window))),
        totalCount: () => countDpus(ctx, args),
      }),
    },
    counted(),
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
    args: { id: t.arg.id({ required: true, description: 'The id of the decision proof unit, `dpu_…`.' }) },
    resolve: async (_, { id }, ctx) => {
      await requireReadable(ctx, id);
      return responsibility(ctx, id);
    },
  }),
}));
