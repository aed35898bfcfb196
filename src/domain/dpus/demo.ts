import { z } from 'zod';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { LedgerServices } from '../ledger/ledger-app.ts';
import { recordDpu } from './append-dpu.ts';
import { type DpuServices, readDpu } from './dpu.ts';
import type { DpuView } from './dpu-row.ts';

export const referenceTypes = ['lms-attendance', 'lms-event', 'demo'] as const;

export const demoDpuInput = z.object({
  content: plainText(10_000).min(1).nullish(),
  referenceType: z.enum(referenceTypes).nullish(),
  referenceId: plainText(256).min(1).nullish(),
  tags: z.array(plainText(64).min(1)).max(50).nullish(),
});

type DemoDpuInput = z.infer<typeof demoDpuInput>;

/** A record to try the chain with: a draft like any other. */
export async function createDemoDpu(
  ctx: Context<DpuServices & LedgerServices>,
  input: DemoDpuInput,
): Promise<DpuView> {
  const { dpuId } = await recordDpu(ctx, {
    content: input.content ?? `Demonstration record, made ${ctx.now.toISOString()}`,
    referenceType: input.referenceType ?? 'demo',
    referenceId: input.referenceId ?? null,
    tags: [...new Set(input.tags ?? [])],
  });
  return readDpu(ctx, dpuId);
}
