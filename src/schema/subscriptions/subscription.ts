import type { Plan as PlanRow } from '../../db/generated/prisma/client.ts';
import { featuresOf } from '../../domain/centers/center-features.ts';
import { planEntries } from '../../domain/features/catalog.ts';
import { listPlans } from '../../domain/plans/plans.ts';
import {
  currentSubscription,
  type SubscriptionRow,
  seatsUsed,
  usageOf,
} from '../../domain/subscriptions/view.ts';
import { builder } from '../builder.ts';
import { storedEnum } from '../enum-types.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { CenterFeature, PlanFeature } from '../features/features.ts';

const PlanKind = storedEnum(
  'PlanKind',
  'The kind of plan: for a center, or for its tenant on the learning host.',
  {
    CENTER: 'For a center on this platform.',
    LMS: "For a center's tenant on the learning host.",
  },
);

export const Plan = builder.objectRef<PlanRow>('Plan').implement({
  description: 'A plan.',
  fields: (t) => ({
    ...columnsOf('Plan', t, {
      name: 'The display name.',
      vertical: 'The vertical; null for all.',
      priceMonthly: 'The monthly price in the smallest currency unit.',
      currency: 'The currency (ISO 4217).',
      seatLimit: 'The maximum number of active members.',
      features: 'The included features.',
    }),
    id: t.exposeID('id', { description: 'The id of the plan, used in orders.' }),
    includes: t.field({
      type: [PlanFeature],
      description: 'The included features with their names.',
      resolve: ({ features }) => planEntries(features),
    }),
  }),
});

builder.queryField('plans', (t) =>
  t.field({
    type: [Plan],
    description: 'The plans, cheapest first.',
    authScopes: { access: { public: true } },
    args: { kind: t.arg({ type: PlanKind, required: true, description: 'The kind of plan.' }) },
    resolve: (_, { kind }, ctx) => listPlans(ctx, kind),
  }),
);

storedEnum('SubscriptionStatus', 'The status of a subscription.', {
  TRIAL: 'Free trial.',
  ACTIVE: 'Paid for the current period.',
  PAST_DUE: 'A payment failed, or the trial ended without one.',
  SUSPENDED: 'Suspended manually.',
  CANCELED: 'Canceled; it can be resumed.',
});

storedEnum('BillingCycle', 'The billing period.', {
  MONTHLY: 'Monthly.',
  YEARLY: 'Yearly.',
});

const SubscriptionUsage = builder
  .objectRef<Awaited<ReturnType<typeof usageOf>>>('SubscriptionUsage')
  .implement({
    description: 'Usage of a center.',
    fields: onlyProperties({
      decisionRecords: ['Int', 'The number of records on its chains.'],
      apiKeys: ['Int', 'The number of API keys that are not revoked.'],
      webhooks: ['Int', 'The number of webhooks.'],
      workflows: ['Int', 'The number of workflows, including paused ones.'],
    }),
  });

export const CenterSubscription = builder.objectRef<SubscriptionRow>('CenterSubscription').implement({
  description: 'A subscription of a center.',
  fields: (t) => ({
    ...columnsOf('Subscription', t, {
      centerId: 'The id of the center.',
      status: 'The status.',
      billingCycle: 'The billing period.',
      currentPeriodStart: 'When the current period began.',
      currentPeriodEnd: 'When the current period or trial ends.',
      seatLimit: 'The maximum number of active members.',
    }),
    id: t.exposeID('id', { description: 'The id of the subscription.' }),
    planId: t.exposeID('planId', { description: 'The id of the plan.' }),
    planName: t.string({ description: 'The name of the plan.', resolve: ({ plan }) => plan.name }),
    plan: t.field({ type: Plan, description: 'The plan with its price.', resolve: ({ plan }) => plan }),
    seatUsed: t.int({
      description: 'The number of active members.',
      resolve: ({ centerId }, _, ctx) => seatsUsed(ctx, centerId),
    }),
    features: t.field({
      type: [CenterFeature],
      description: 'The features of the center: those of its plan that are not switched off.',
      complexity: 5,
      resolve: ({ centerId }, _, ctx) => featuresOf(ctx, centerId),
    }),
    usage: t.field({
      type: SubscriptionUsage,
      description: 'Usage of the center.',
      resolve: ({ centerId }, _, ctx) => usageOf(ctx, centerId),
    }),
  }),
});

builder.queryField('centerSubscription', (t) =>
  t.field({
    type: CenterSubscription,
    description: 'The subscription and usage of the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    resolve: (_, __, ctx) => currentSubscription(ctx),
  }),
);
