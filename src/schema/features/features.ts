import type { FeatureState } from '../../domain/centers/center-features.ts';
import type { PlanEntry } from '../../domain/features/catalog.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';

export const CenterFeature = builder.objectRef<FeatureState>('CenterFeature').implement({
  description: 'A part of the product that plans include and partners can switch off for their centers.',
  fields: onlyProperties({
    id: ['ID', 'The name of the feature in settings and errors, such as proofApi.'],
    name: ['String', 'The name of the feature that people see.'],
    description: ['String', 'What the feature covers, in a sentence.'],
    enabled: ['Boolean', 'Whether it can be used. Otherwise its operations fail with FEATURE_DISABLED.'],
    neededPlan: [
      'String?',
      'The name of the plan that includes it; null if the current plan does, or none does.',
    ],
  }),
});

export const PlanFeature = builder.objectRef<PlanEntry>('PlanFeature').implement({
  description: 'A feature that a plan includes.',
  fields: onlyProperties({
    id: ['ID', 'The id of the feature, as in settings and errors, such as proofApi.'],
    name: ['String', 'The name that people see.'],
    description: ['String', 'What it covers; may be empty.'],
  }),
});
