import { type EffectivePolicy, effectivePolicy } from '@countersign/proof-kit/effective-policy';
import type { Prisma } from '../../db/database.ts';
import type { Policy as PolicyRow, PolicyVersion } from '../../db/generated/prisma/client.ts';
import { type OwnedRows, pageKeys } from '../../db/owned-pages.ts';
import { type CursorWindow, MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { type Context, currentCenterId } from '../context.ts';
import { centerIdOf } from '../principal.ts';
import { policiesInForce } from './in-force.ts';

/**
 * The policies visible to a caller: those of its own center, and those above centers, which are shared by all tenants. This is
 * why the client is not tenant-scoped.
 */
function visible(ctx: Context): Prisma.PolicyWhereInput {
  const centerId = centerIdOf(ctx.principal);
  return { OR: [{ scope: { not: 'CENTER' } }, ...(centerId === null ? [] : [{ centerId }])] };
}

export function listPolicies(ctx: Context, window: CursorWindow): Promise<PolicyRow[]> {
  return ctx.reads.acrossTenants.policy.findMany(newestFirst(window, visible(ctx)));
}

export function countPolicies(ctx: Context): Promise<number> {
  return ctx.reads.acrossTenants.policy.count({ where: visible(ctx), take: MOST_COUNTED });
}

export function findPolicy(ctx: Context, id: string): Promise<PolicyRow | null> {
  return ctx.app.db.acrossTenants.policy.findFirst({ where: { AND: [{ id }, visible(ctx)] } });
}

/** The names of policies that are visible to the caller, by id. */
export async function namesOfPolicies(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.reads.acrossTenants.policy.findMany({
    where: { AND: [{ id: { in: [...ids] } }, visible(ctx)] },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const MOST_VERSIONS = 100;
const VERSIONS: OwnedRows = { table: 'policy_version', owner: 'policy_id', key: 'version', order: 'DESC' };

/** The newest versions of policies already shown to the caller. */
export async function versionsOf(
  ctx: Context,
  policyIds: readonly string[],
): Promise<Map<string, PolicyVersion[]>> {
  const { reads: db } = ctx;
  const newest = await pageKeys<number>(db.declared('acrossTenants'), VERSIONS, policyIds, {
    limit: MOST_VERSIONS,
  });
  const versions = await db.acrossTenants.policyVersion.findMany({
    where: { OR: [...newest].map(([policyId, numbers]) => ({ policyId, version: { in: numbers } })) },
    orderBy: { version: 'desc' },
  });
  return Map.groupBy(versions, ({ policyId }) => policyId);
}

/** Which policy sets each guard for an action in the caller's center. */
export async function effectivePolicyFor(ctx: Context, actionType: string): Promise<EffectivePolicy> {
  return effectivePolicy(await policiesInForce(ctx.app.db, currentCenterId(ctx)), { actionType });
}
