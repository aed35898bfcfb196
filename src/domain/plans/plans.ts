import type { Db, Tx } from '../../db/database.ts';
import type { PlanKind } from '../../db/generated/prisma/enums.ts';
import { validationError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** The currency of all plans (checked by the database), so that amounts add up. */
export const CURRENCY = 'EUR';

/** The default plan of a center. */
export const DEFAULT_CENTER_PLAN = 'center-starter';

export function listPlans({ app }: Context, kind: PlanKind) {
  return app.db.acrossTenants.plan.findMany({
    where: { kind },
    orderBy: [{ sortOrder: 'asc' }, { id: 'asc' }],
  });
}

/** A plan that a center can have. Any other id is a validation error. */
export async function requireCenterPlan(db: Db | Tx, planId: string) {
  const plan = await db.plan.findUnique({ where: { id: planId } });
  if (plan?.kind === 'CENTER') return plan;
  throw validationError([{ path: 'planId', message: 'must be the id of a plan for centers, from `plans`' }]);
}
