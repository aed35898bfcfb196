import type { Context } from '../context.ts';
import { type Feature, features, featureTexts } from '../features/catalog.ts';
import { type FeaturesOff, featuresOffOfCenter, requireFeature } from '../features/features-off.ts';
import { centerIdOf } from '../principal.ts';

/** The features that a center lacks: already known for the caller's own, read for any other. */
export async function featuresOffFor(ctx: Context, centerId: number): Promise<FeaturesOff> {
  const { app, principal } = ctx;
  const isCaller = principal.kind === 'actor' || principal.kind === 'apiKey';
  if (isCaller && centerIdOf(principal) === centerId) return principal.featuresOff;
  return featuresOffOfCenter(app, centerId);
}

/** Throws FEATURE_DISABLED unless the center has the feature. */
export async function requireFeatureIn(ctx: Context, centerId: number, feature: Feature): Promise<void> {
  requireFeature(await featuresOffFor(ctx, centerId), feature);
}

/** A feature of a center. */
export interface FeatureState {
  id: Feature;
  name: string;
  description: string;
  enabled: boolean;
  /** The plan that includes it, if the current one does not. */
  neededPlan: string | null;
}

/** All features of the caller's center; none without a center. */
export function currentFeatures(ctx: Context): FeatureState[] {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || !principal.center.open) return [];
  return featureStates(principal.featuresOff);
}

export async function featuresOf(ctx: Context, centerId: number): Promise<FeatureState[]> {
  return featureStates(await featuresOffFor(ctx, centerId));
}

function featureStates(off: FeaturesOff): FeatureState[] {
  return features.map((id) => {
    const reason = off[id];
    const { name, description } = featureTexts[id];
    return {
      id,
      name,
      description,
      enabled: !reason,
      neededPlan: reason?.by === 'PLAN' ? (reason.plan?.name ?? null) : null,
    };
  });
}
