import type { Database } from '../../db/database.ts';
import { isDatabaseDown } from '../../db/faults.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { decideAccess, providerRule } from '../identity/center-access.ts';
import { currentActor } from '../identity/me.ts';
import { type CenterRef, centerNotFound, enterCenter, findCenter } from './find.ts';
import { visibleSettings } from './settings.ts';
import { type CenterView, centerView, centerViews } from './view.ts';

export type CenterReader = (id: number) => Promise<CenterView>;

const MOST_TOGETHER = 200;

/** Concurrent callers share one read, as do the rows of one response. */
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
    retryAlone: (error) => !isDatabaseDown(error),
  });
}

/** The caller's current center, limited to what they may see. */
export async function ownCenter(ctx: Context<{ readCenter: CenterReader }>): Promise<CenterView> {
  const { principal } = ctx;
  const center = await ctx.app.readCenter(currentCenterId(ctx));
  const role = principal.kind === 'actor' && principal.center.open ? principal.center.role : null;
  return { ...center, settings: visibleSettings(center.settings, role) };
}

/** No one belongs to more centers than this. Limits the size of a response. */
const MOST_CENTERS = 1_000;

/** One center that the caller's family may enter. */
export async function readCenter(ctx: Context, ref: CenterRef): Promise<CenterView> {
  const { center, role } = await enterCenter(ctx, ref);
  const view = await centerView(ctx.app.db.pool, center);
  return { ...view, settings: visibleSettings(view.settings, role) };
}

/** The centers that the caller's family may enter, by name. */
export async function accessibleCenters(ctx: Context): Promise<CenterView[]> {
  const visitor = currentActor(ctx);
  const { familyIds, onlyCenterId } = visitor;
  const ofFamily = { actorId: { in: familyIds }, status: 'ACTIVE' } as const;
  const centers = await ctx.app.db.acrossTenants.center.findMany({
    where: {
      status: 'ACTIVE',
      memberships: { some: ofFamily },
      ...(onlyCenterId !== null && { id: onlyCenterId }),
    },
    include: { memberships: { where: ofFamily }, identityProvider: providerRule },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MOST_CENTERS,
  });
  const views = await centerViews(
    ctx.app.db.pool,
    centers.map(({ memberships: _, identityProvider: __, ...center }) => center),
  );
  return views.flatMap((view, i) => {
    const access = decideAccess(centers[i]!, centers[i]!.memberships, visitor);
    return access.open ? [{ ...view, settings: visibleSettings(view.settings, access.role) }] : [];
  });
}

/** The public data of an open center. */
export async function publicInfo(ctx: Context, domain: string) {
  const { status, name, centerDomain, description, logo, vertical } = await findCenter(ctx, { domain });
  if (status === 'INACTIVE') throw centerNotFound();
  if (status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  return { name, centerDomain, description, logo, vertical };
}
