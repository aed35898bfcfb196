import type { Db, Tx } from '../../db/database.ts';
import type { PlanKind } from '../../db/generated/prisma/enums.ts';
import { validationError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** All plans are priced in it (the database checks), so that amounts add up. */
export const CURRENCY = 'EUR';

/** The plan of a center for which nobody chose one. */
export const DEFAULT_CENTER_PLAN = 'center-starter';

export function listPlans({ app }: Context, kind: PlanKind) {
  return app.db.acrossTenants.plan.findMany({
    where: { kind },
    orderBy: [{ sortOrder: 'asc' }, { id: 'asc' }],
  });
}

/** A plan that a center can have; any other id is the caller's mistake. */
export async function requireCenterPlan(db: Db | Tx, planId: string) {
  const plan = await db.plan.findUnique({ where: { id: planId } });
  if (plan?.kind === 'CENTER') return plan;
  throw validationError([{ path: 'planId', message: 'is not the id of a center plan' }]);
}
