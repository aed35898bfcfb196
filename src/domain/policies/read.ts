import type { Prisma } from '../../db/database.ts';
import type { Policy as PolicyRow, PolicyVersion } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { type Context, currentCenterId } from '../context.ts';
import { centerIdOf } from '../principal.ts';
import { type EffectivePolicy, effectivePolicy } from './effective.ts';
import { policiesInForce } from './in-force.ts';

/**
 * The policies a caller may see: those of its own center, and those above centers, which are the same for all
 * tenants. Hence the client that is not bound to one.
 */
function visible(ctx: Context): Prisma.PolicyWhereInput {
  const centerId = centerIdOf(ctx.principal);
  return { OR: [{ scope: { not: 'CENTER' } }, ...(centerId === null ? [] : [{ centerId }])] };
}

export function listPolicies(ctx: Context, window: CursorWindow): Promise<PolicyRow[]> {
  const { where, ...page } = newestFirst(window);
  return ctx.app.db.acrossTenants.policy.findMany({ ...page, where: { AND: [visible(ctx), where] } });
}

export function findPolicy(ctx: Context, id: string): Promise<PolicyRow | null> {
  return ctx.app.db.acrossTenants.policy.findFirst({ where: { AND: [{ id }, visible(ctx)] } });
}

/** The newest versions of a policy that the caller was shown. */
export function versionsOf(ctx: Context, policyId: string, most: number): Promise<PolicyVersion[]> {
  return ctx.app.db.acrossTenants.policyVersion.findMany({
    where: { policyId },
    orderBy: { version: 'desc' },
    take: most,
  });
}

/** Which policy sets each guard for an action in the caller's center. */
export async function effectivePolicyFor(ctx: Context, actionType: string): Promise<EffectivePolicy> {
  return effectivePolicy(
    await policiesInForce(ctx.app.db.declared([currentCenterId(ctx)]), currentCenterId(ctx)),
    { actionType },
  );
}
