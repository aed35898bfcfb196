import type { Database } from '../../db/database.ts';
import { isDatabaseDown } from '../../db/faults.ts';
import { sql } from '../../db/sql.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { DPU_COLUMNS, DPU_ROW, DPU_SOURCE, type DpuRow, type DpuView, requireRecord } from './dpu-row.ts';

/** A DPU is always looked up within a center, so the pair is the key. */
interface DpuKey {
  id: string;
  centerId: number;
}

export type DpuFinder = (key: DpuKey) => Promise<DpuRow | null>;

const MOST_TOGETHER = 100;

const FIND_DPUS = sql('find_dpus', { asked: 'int', ...DPU_ROW })`
  SELECT k.n::int AS asked, ${DPU_COLUMNS}
  FROM unnest($ids::text[], $centers::int[]) WITH ORDINALITY AS k(id, center_id, n)
  JOIN (${DPU_SOURCE}) ON d.id = k.id AND d.center_id = k.center_id`;

/**
 * Concurrent callers share one round trip, because this is the most frequent read. Each row is matched by the id and center of
 * its own caller, so sharing a statement does not share access.
 */
export function makeDpuFinder(db: Database): DpuFinder {
  const find = async (keys: DpuKey[]): Promise<(DpuRow | null)[]> => {
    const centers = keys.map(({ centerId }) => centerId);
    const rows = await FIND_DPUS.rows(db.declared(centers), { ids: keys.map(({ id }) => id), centers });
    const found: (DpuRow | null)[] = keys.map(() => null);
    for (const row of rows) found[row.asked - 1] = row;
    return found;
  };
  return makeBatcher(find, {
    most: MOST_TOGETHER,
    concurrency: 2,
    retryAlone: (error) => !isDatabaseDown(error),
  });
}

export interface DpuServices {
  findDpu: DpuFinder;
}

export function dpuNotFound(): DomainError {
  return new DomainError('DPU_NOT_FOUND', 'Decision proof unit not found.');
}

/** A DPU of the caller's center by its id. */
export async function findDpu(ctx: Context<DpuServices>, id: string): Promise<DpuView | null> {
  const row = await ctx.app.findDpu({ id, centerId: currentCenterId(ctx) });
  return row && requireRecord(row);
}

export async function readDpu(ctx: Context<DpuServices>, id: string): Promise<DpuView> {
  const dpu = await findDpu(ctx, id);
  if (!dpu) throw dpuNotFound();
  return dpu;
}

const LOCK_DPU = sql('lock_dpu', DPU_ROW)`
  SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE} WHERE d.id = $id AND d.center_id = $centerId::int FOR UPDATE OF d`;

/** A DPU of the caller's center, locked until the end of the transaction. */
export async function lockDpu(ctx: Context, work: Work, id: string): Promise<DpuView> {
  const [row] = await LOCK_DPU.rows(work.db, { id, centerId: currentCenterId(ctx) });
  if (!row) throw dpuNotFound();
  return requireRecord(row);
}
