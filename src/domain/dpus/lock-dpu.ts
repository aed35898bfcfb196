import { sql } from '../../db/sql.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { dpuNotFound } from './dpu.ts';
import { DPU_COLUMNS, DPU_SOURCE, type DpuView, intact } from './dpu-row.ts';

const LOCK_DPU = sql<DpuView>('lock_dpu')`
  SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE} WHERE d.id = $id AND d.center_id = $centerId::int FOR UPDATE OF d`;

/** A DPU of the caller's center, locked until the end of the transaction. */
export async function lockDpu(ctx: Context, work: Work, id: string): Promise<DpuView> {
  const [row] = await LOCK_DPU.rows(work.db, { id, centerId: currentCenterId(ctx) });
  if (!row) throw dpuNotFound();
  return intact(row);
}
