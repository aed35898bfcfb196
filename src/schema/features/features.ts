import type { FeatureState } from '../../domain/centers/center-features.ts';
import type { PlanEntry } from '../../domain/features/catalog.ts';
import { builder } from '../builder.ts';

export const CenterFeature = builder.objectRef<FeatureState>('CenterFeature').implement({
  description: 'A feature of a center, and whether it is on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The name in settings and errors, such as proofApi.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', { description: 'What it covers.' }),
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether it can be used. Otherwise its operations fail with FEATURE_DISABLED.',
    }),
    neededPlan: t.exposeString('neededPlan', {
      nullable: true,
      description: 'The name of the plan that includes it, if the current plan does not.',
    }),
  }),
});

export const PlanFeature = builder.objectRef<PlanEntry>('PlanFeature').implement({
  description: 'A feature that a plan includes.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the feature.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', { description: 'What it covers; may be empty.' }),
  }),
});
