import { showDecision, verifyUrlOf } from '@countersign/proof-kit';
import { DomainError } from '../../../lib/errors.ts';
import type { Context } from '../../context.ts';
import { readDpu } from '../../dpus/dpu.ts';
import type { DpuView } from '../../dpus/dpu-row.ts';
import type { ProofContext } from '../decision-context.ts';
import { findSealedDecision } from './sealed-decision.ts';
import { type RecordContext, type SixW, sixW } from './six-w.ts';

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * The 6W of a record: who is responsible for it. For a sealed decision they come from the sealed content, for other records
 * from the related rows.
 */
export async function responsibility(ctx: ProofContext, id: string): Promise<SixW> {
  const dpu = await readDpu(ctx, id);
  return dpu.domain === 'proof' ? ofDecision(ctx, dpu) : sixW(dpu, await surroundings(ctx, dpu));
}

/** The same as in an export: only what was sealed. */
async function ofDecision(ctx: Context, dpu: DpuView): Promise<SixW> {
  const sealed = await findSealedDecision(ctx.app.db, dpu.centerId, 'dpu_id', dpu.id);
  if (!sealed) throw new DomainError('CHAIN_BROKEN', 'The decision of this record is missing.');
  const verifyUrl = verifyUrlOf(ctx.app.config.publicUrl, sealed.row.id);
  const place = { verifyUrl, index: dpu.chainIndex, timestamp: dpu.timestamp };
  const { '@id': _, ...six } = showDecision(sealed.disclosed, place).responsibility;
  return six;
}

async function surroundings(ctx: Context, dpu: DpuView): Promise<RecordContext> {
  const [center, actor, raises] = await Promise.all([
    ctx.db.center.findUniqueOrThrow({ where: { id: dpu.centerId } }),
    actorOf(ctx, dpu.actorId),
    ctx.db.auditEntry.findMany({
      where: { type: 'dpu.level_raised', target: dpu.id },
      orderBy: { id: 'asc' },
      take: 2,
    }),
  ]);
  const settings = center.settings as { country?: string; region?: string };
  return {
    actor,
    center: {
      id: center.id,
      name: center.name,
      centerDomain: center.centerDomain,
      country: settings.country ?? null,
      region: settings.region ?? null,
    },
    raises: raises.map(({ actorId, detail, occurredAt }) => {
      const { from, to } = detail as { from: string; to: string };
      return { by: actorId, from, to, at: occurredAt.toISOString() };
    }),
  };
}

/** People are looked up. Keys and the service itself are identified by their names. */
async function actorOf(ctx: Context, id: string | null) {
  if (id === null || !UUID.test(id)) return null;
  const membership = await ctx.db.membership.findFirst({
    where: { actorId: id },
    select: { role: true, actor: { select: { name: true } } },
  });
  return membership?.actor ? { id, name: membership.actor.name, role: membership.role } : null;
}
