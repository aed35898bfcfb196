import type { FeatureState } from '../../domain/centers/center-features.ts';
import type { PlanEntry } from '../../domain/features/catalog.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';

export const CenterFeature = builder.objectRef<FeatureState>('CenterFeature').implement({
  description: 'A feature of a center, and whether it is on.',
  fields: onlyProperties({
    id: ['ID', 'The name in settings and errors, such as proofApi.'],
    name: ['String', 'The display name.'],
    description: ['String', 'What it covers.'],
    enabled: ['Boolean', 'Whether it can be used. Otherwise its operations fail with FEATURE_DISABLED.'],
    neededPlan: ['String?', 'The name of the plan that includes it, if the current plan does not.'],
  }),
});

export const PlanFeature = builder.objectRef<PlanEntry>('PlanFeature').implement({
  description: 'A feature that a plan includes.',
  fields: onlyProperties({
    id: ['ID', 'The id of the feature.'],
    name: ['String', 'The display name.'],
    description: ['String', 'What it covers; may be empty.'],
  }),
});
