import type { Database } from '../../db/database.ts';
import { isOutOfReach } from '../../db/faults.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { type CenterView, centerViews } from './view.ts';

export type CenterReader = (id: number) => Promise<CenterView>;

const MOST_TOGETHER = 200;

/** Callers that ask in the same moment share one read, and so do the many rows of one answer. */
export function makeCenterReader(db: Database): CenterReader {
  const read = async (ids: number[]): Promise<CenterView[]> => {
    const centers = await db.acrossTenants.center.findMany({ where: { id: { in: [...new Set(ids)] } } });
    const views = await centerViews(db.pool, centers);
    const byId = new Map(views.map((view) => [view.id, view]));
    return ids.map((id) => byId.get(id)!);
  };
  return makeBatcher(read, {
    most: MOST_TOGETHER,
    concurrency: 2,
    retryAlone: (error) => !isOutOfReach(error),
  });
}
