import type { Database } from '../../db/database.ts';
import { isOutOfReach } from '../../db/faults.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { type Context, currentCenterId } from '../context.ts';
import { visibleSettings } from './settings.ts';
import { type CenterView, centerViews } from './view.ts';

export type CenterReader = (id: number) => Promise<CenterView>;

const MOST_TOGETHER = 200;

/** Callers that ask in the same moment share one read, and so do the many rows of one answer. */
export function makeCenterReader(db: Database): CenterReader {
  const read = async (ids: number[]): Promise<CenterView[]> => {
    const centers = await db.acrossTenants.center.findMany({ where: { id: { in: [...new Set(ids)] } } });
    const views = await centerViews({ app: { db } }, centers);
    const byId = new Map(views.map((view) => [view.id, view]));
    return ids.map((id) => byId.get(id)!);
  };
  return makeBatcher(read, {
    most: MOST_TOGETHER,
    concurrency: 2,
    retryAlone: (error) => !isOutOfReach(error),
  });
}

/** The center the caller acts in, as much of it as they may see. */
export async function ownCenter(ctx: Context): Promise<CenterView> {
  const { principal } = ctx;
  const center = await ctx.app.readCenter(currentCenterId(ctx));
  const role = principal.kind === 'actor' && principal.center.open ? principal.center.role : null;
  return { ...center, settings: visibleSettings(center.settings, role) };
}
