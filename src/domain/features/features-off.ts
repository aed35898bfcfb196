import type { Config } from '../../config.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { Plan } from '../../db/generated/prisma/client.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Feature, features, featureTexts } from './catalog.ts';

/** Why a feature is off: it was turned off in the settings, or the plan does not include it. */
type OffReason =
  | { by: 'SETTINGS' }
  | { by: 'PLAN'; current: string | null; plan: { id: string; name: string } | null };

/** The features that a center does not have. All others are on. */
export type FeaturesOff = Readonly<Partial<Record<Feature, OffReason>>>;

export const NOTHING_OFF: FeaturesOff = {};

/** The result of the columns below. */
export const FEATURE_ROW = {
  partnerSwitches: typed<unknown>('jsonb'),
  centerSwitches: typed<unknown>('jsonb'),
  vertical: 'vertical',
  planId: 'text?',
  /** All center plans, cheapest first; null unless plans are enforced. */
  plans: typed<Pick<Plan, 'id' | 'name' | 'vertical' | 'features'>[] | null>('json'),
} as const;
type FeatureColumns = RowOf<typeof FEATURE_ROW>;

/** Columns and joins for a statement that reads `center c`. The parameter `enforced` tells whether plans are enforced. */
export const featureColumns = (enforced: `$${string}`) =>
  `fp.settings->'features' AS "partnerSwitches", c.settings->'features' AS "centerSwitches", c.vertical,
   fs.plan_id AS "planId",
   CASE WHEN ${enforced}::boolean THEN (
     SELECT json_agg(json_build_object('id', id, 'name', name, 'vertical', vertical, 'features', features)
                     ORDER BY sort_order, id)
     FROM plan WHERE kind = 'CENTER') END AS plans`;
export const featureJoins =
  'LEFT JOIN partner fp ON fp.id = c.partner_id LEFT JOIN subscription fs ON fs.center_id = c.id';

/** The single place that decides which features a center has. */
export function featuresOffIn(row: FeatureColumns): FeaturesOff {
  const off: Partial<Record<Feature, OffReason>> = {};
  for (const feature of features) {
    const reason = offReason(feature, row);
    if (reason) off[feature] = reason;
  }
  return off;
}

/** Both the partner's switch and the center's own must be on. */
function offReason(feature: Feature, row: FeatureColumns): OffReason | null {
  const { inPlans, switchable } = featureTexts[feature];
  const switchedOff = [row.partnerSwitches, row.centerSwitches].some(
    (switches) =>
      typeof switches === 'object' && switches !== null && Reflect.get(switches, feature) === false,
  );
  if (switchable && switchedOff) return { by: 'SETTINGS' };
  if (!inPlans || !row.plans) return null;
  const current = row.plans.find(({ id }) => id === row.planId);
  if (current?.features.includes(inPlans)) return null;
  const better = row.plans.find(
    ({ features: included, vertical }) =>
      included.includes(inPlans) && (vertical === null || vertical === row.vertical),
  );
  return {
    by: 'PLAN',
    current: current?.name ?? null,
    plan: better ? { id: better.id, name: better.name } : null,
  };
}

const FEATURES_OFF = sql('features_off', { id: 'int', ...FEATURE_ROW })`
  SELECT c.id, ${featureColumns('$enforcePlans')} FROM center c ${featureJoins} WHERE c.id = ANY ($centerIds::int[])`;

/** The features that each of these centers lacks. */
export async function featuresOffOf(
  db: Queryable,
  centerIds: readonly number[],
  enforcePlans: boolean,
): Promise<Map<number, FeaturesOff>> {
  const rows = await FEATURES_OFF.rows(db, { centerIds, enforcePlans });
  return new Map(rows.map((row) => [row.id, featuresOffIn(row)]));
}

/** The features that one center lacks. */
export async function featuresOffOfCenter(
  { db, config }: { db: Database; config: Config },
  centerId: number,
): Promise<FeaturesOff> {
  const off = await featuresOffOf(db.declared('acrossTenants'), [centerId], config.enforcePlanFeatures);
  return off.get(centerId) ?? {};
}

/** Throws FEATURE_DISABLED unless the center has the feature. */
export function requireFeature(off: FeaturesOff, feature: Feature): void {
  const reason = off[feature];
  if (!reason) return;
  const { name } = featureTexts[feature];
  if (reason.by === 'SETTINGS') {
    throw new DomainError('FEATURE_DISABLED', `The feature “${name}” is switched off for this center.`, {
      details: { feature, reason: 'SETTINGS' },
    });
  }
  const { current, plan } = reason;
  const missing = current
    ? `The ${current} plan does not include the feature “${name}”.`
    : `The feature “${name}” needs a plan.`;
  throw new DomainError('FEATURE_DISABLED', plan ? `${missing} The ${plan.name} plan does.` : missing, {
    details: { feature, reason: 'PLAN', ...(plan && { planId: plan.id, planName: plan.name }) },
  });
}
