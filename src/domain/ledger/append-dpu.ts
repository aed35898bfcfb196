import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { callerOf } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';
import { appendDpus, sealedData } from './append.ts';
import type { DpuDraft, Draft, Place, SealKind } from './seal-kind.ts';

/** A record of the platform itself: a demonstration, an attendance, a certificate, a workflow's execution. */
export interface NewDpu extends Partial<DpuDraft> {
  /** The exact text that is hashed. */
  content: string;
}

/** Further events and audit entries that commit with a record. */
export type Beside = Pick<Draft<undefined>, 'events' | 'audit'>;

/** Whatever is asked for is written: the request is the draft already. */
const platformRecord: SealKind<Draft<undefined>> = {
  name: 'platform record',
  admit: async (_, drafts) => drafts,
  bare: (draft) => {
    const { events, audit, dpu } = draft;
    return events || audit || dpu.evidenceLevel === 'AUDIT_READY' ? undefined : draft;
  },
};

/** Appends a record to the platform chain of the caller's center, together with whoever else is waiting for it. */
export async function recordDpu(ctx: Context, input: NewDpu, beside: Beside = {}): Promise<Place> {
  const { place } = await ctx.app.sealer.seal({
    kind: platformRecord,
    centerId: currentCenterId(ctx),
    domain: 'platform',
    request: { ...draftOf(ctx, input), ...beside },
    idempotency: ctx.idempotency,
  });
  return place!;
}

/**
 * The same inside a unit of work, for records that must stand or fall with other rows. The chain's head stays locked
 * until that commits, so call it late.
 */
export async function recordDpuIn(ctx: Context, work: Work, input: NewDpu): Promise<Place> {
  const draft = draftOf(ctx, input);
  const centerId = currentCenterId(ctx);
  const chain = { centerId, domain: 'platform' } as const;
  const [places] = await appendDpus(work.db, [{ chain, links: [draft] }], ctx.now);
  const [place] = places!;
  const { dpu } = draft;
  if (dpu.evidenceLevel === 'AUDIT_READY') {
    work.emit('dpu.sealed', sealedData(place!, 'platform', dpu.actorId), centerId);
  }
  return place!;
}

function draftOf(ctx: Context, { content, ...dpu }: NewDpu): Draft<undefined> {
  return {
    content,
    dpu: {
      id: newId('dpu'),
      evidenceLevel: 'DRAFT',
      actorId: callerOf(ctx.principal).id ?? 'anonymous',
      ...dpu,
    },
    result: undefined,
  };
}
