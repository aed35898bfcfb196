import { sqlIn } from '../../db/sql.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { dpuNotFound } from './dpu.ts';
import { DPU_COLUMNS, DPU_SOURCE, type DpuView, intact } from './dpu-row.ts';

/** A DPU of the caller's center, locked until the end of the transaction. */
export async function lockDpu(ctx: Context, work: Work, id: string): Promise<DpuView> {
  const [row] = await sqlIn(work.db).rows<DpuView>({
    name: 'lock_dpu',
    text: `SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE} WHERE d.id = $1 AND d.center_id = $2::int FOR UPDATE OF d`,
    values: [id, currentCenterId(ctx)],
  });
  if (!row) throw dpuNotFound();
  return intact(row);
}
