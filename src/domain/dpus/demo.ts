import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { LedgerServices } from '../ledger/ledger-app.ts';
import { recordDpu } from './append-dpu.ts';
import { type DpuServices, readDpu } from './dpu.ts';
import type { DpuView } from './dpu-row.ts';

export const referenceTypes = ['lms-attendance', 'lms-event', 'demo'] as const;

export const demoDpuInput = z.object({
  content: plainText(10_000)
    .min(1)
    .nullish()
    .meta(
      doc(
        'The text to hash, 1 to 10,000 characters. Default: a sample sentence.',
        'Therapy plan of week 12 confirmed',
      ),
    ),
  referenceType: z
    .enum(referenceTypes)
    .nullish()
    .meta(doc(`What it is about: ${referenceTypes.join(', ')}.`, 'demo')),
  referenceId: plainText(256)
    .min(1)
    .nullish()
    .meta(doc('The id of the object it is about, 1 to 256 characters.', 'session-7')),
  tags: z
    .array(plainText(64).min(1))
    .max(50)
    .nullish()
    .meta(doc('Tags to search by, at most 50 of 1 to 64 characters.', ['billing'])),
});

type DemoDpuInput = z.infer<typeof demoDpuInput>;

/** A record for trying out the chain: a normal draft. */
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
