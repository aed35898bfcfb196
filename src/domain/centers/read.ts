import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { type CenterRef, enterCenter, noSuchCenter } from './find.ts';
import { visibleSettings } from './settings.ts';
import { type CenterView, centerInclude, centerView } from './view.ts';

/** Nobody belongs to more centers than this; the bound keeps one answer from growing without end. */
const MOST_CENTERS = 1_000;

/** The centers that the caller's family may enter, by name. */
export function accessibleCenters(ctx: Context): Promise<CenterView[]> {
  return loadEntered(ctx, {});
}

/** One center that the caller's family may enter. */
export async function readCenter(ctx: Context, ref: CenterRef): Promise<CenterView> {
  const { id } = await enterCenter(ctx, ref);
  const [center] = await loadEntered(ctx, { id });
  // It was open a moment ago; that it closed in between looks like any closed center.
  if (!center) throw noSuchCenter();
  return center;
}

async function loadEntered(ctx: Context, filter: { id?: number }): Promise<CenterView[]> {
  const active = { actorId: { in: currentActor(ctx).familyIds }, status: 'ACTIVE' } as const;
  const rows = await ctx.app.db.acrossTenants.center.findMany({
    where: { ...filter, status: 'ACTIVE', memberships: { some: active } },
    include: { ...centerInclude, memberships: { where: active, select: { role: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MOST_CENTERS,
  });
  return rows.map(({ memberships, ...row }) => {
    const view = centerView(row);
    const roles = memberships.map((membership) => membership.role);
    return { ...view, settings: visibleSettings(view.settings, roles) };
  });
}
