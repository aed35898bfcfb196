import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { type DpuView, intact } from './dpu-row.ts';
import type { DpuFinder } from './find-dpu.ts';

export interface DpuServices {
  findDpu: DpuFinder;
}

export function dpuNotFound(): DomainError {
  return new DomainError('DPU_NOT_FOUND', 'There is no such decision proof unit.');
}

/** A DPU of the caller's center by its id. */
export async function findDpu(ctx: Context<DpuServices>, id: string): Promise<DpuView | null> {
  const row = await ctx.app.findDpu({ id, centerId: currentCenterId(ctx) });
  return row && intact(row);
}

export async function readDpu(ctx: Context<DpuServices>, id: string): Promise<DpuView> {
  const dpu = await findDpu(ctx, id);
  if (!dpu) throw dpuNotFound();
  return dpu;
}
