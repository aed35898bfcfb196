import type { Context } from '../context.ts';
import { decideAccess } from '../identity/center-access.ts';
import { currentActor } from '../identity/me.ts';
import { type CenterRef, enterCenter } from './find.ts';
import { visibleSettings } from './settings.ts';
import { type CenterView, centerView, centerViews } from './view.ts';

/** Nobody belongs to more centers than this; the bound keeps one answer from growing without end. */
const MOST_CENTERS = 1_000;

/** One center that the caller's family may enter. */
export async function readCenter(ctx: Context, ref: CenterRef): Promise<CenterView> {
  const { center, role } = await enterCenter(ctx, ref);
  const view = await centerView(ctx.app.db.pool, center);
  return { ...view, settings: visibleSettings(view.settings, role) };
}

/** The centers that the caller's family may enter, by name. */
export async function accessibleCenters(ctx: Context): Promise<CenterView[]> {
  const { actorId, familyIds } = currentActor(ctx);
  const ofFamily = { actorId: { in: familyIds }, status: 'ACTIVE' } as const;
  const centers = await ctx.app.db.acrossTenants.center.findMany({
    where: { status: 'ACTIVE', memberships: { some: ofFamily } },
    include: { memberships: { where: ofFamily } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MOST_CENTERS,
  });
  const views = await centerViews(
    ctx.app.db.pool,
    centers.map(({ memberships: _, ...center }) => center),
  );
  return views.flatMap((view, i) => {
    const access = decideAccess(view, centers[i]!.memberships, actorId);
    return access.open ? [{ ...view, settings: visibleSettings(view.settings, access.role) }] : [];
  });
}
