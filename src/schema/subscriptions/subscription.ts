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
  description: 'A plan that can be ordered: its price, seats and features.',
  fields: (t) => ({
    ...columnsOf('Plan', t, {
      name: 'The name that people see.',
      vertical: 'The line of business that it is for; null for all.',
      priceMonthly: 'The price per month in the smallest currency unit, such as cents.',
      currency: 'The currency (ISO 4217).',
      seatLimit: 'The maximum number of memberships with the status ACTIVE.',
      features: 'The included features, by id or in words.',
    }),
    id: t.exposeID('id', { description: 'The id of the plan, used in orders, such as `center-growth`.' }),
    includes: t.field({
      type: [PlanFeature],
      description: 'The included features, with the names that people see.',
      resolve: ({ features }) => planEntries(features),
    }),
  }),
});

builder.queryField('plans', (t) =>
  t.field({
    type: [Plan],
    description: 'The plans, cheapest first.',
    authScopes: { access: { public: true } },
    args: {
      kind: t.arg({
        type: PlanKind,
        required: true,
        description: 'Whether to list the plans of centers or of the learning host.',
      }),
    },
    resolve: (_, { kind }, ctx) => listPlans(ctx, kind),
  }),
);

storedEnum('SubscriptionStatus', 'Whether a subscription is paid for.', {
  TRIAL: 'In its free trial, until the end of the current period.',
  ACTIVE: 'Paid for the current period.',
  PAST_DUE: 'A payment failed, or the trial ended without one.',
  SUSPENDED: 'Suspended by a partner or platform admin, regardless of payments.',
  CANCELED: 'Canceled; it can be resumed.',
});

storedEnum('BillingCycle', 'How long a paid period is.', {
  MONTHLY: 'A paid period is one month.',
  YEARLY: 'A paid period is one year.',
});

const SubscriptionUsage = builder
  .objectRef<Awaited<ReturnType<typeof usageOf>>>('SubscriptionUsage')
  .implement({
    description: 'How much of the service a center uses now.',
    fields: onlyProperties({
      decisionRecords: ['Int', 'The number of records on all its chains.'],
      apiKeys: ['Int', 'The number of API keys that are not revoked.'],
      webhooks: ['Int', 'The number of webhooks, including disabled ones.'],
      workflows: ['Int', 'The number of workflows, including paused ones.'],
    }),
  });

export const CenterSubscription = builder.objectRef<SubscriptionRow>('CenterSubscription').implement({
  description: 'The one subscription of a center: its plan, its paid period and its usage.',
  fields: (t) => ({
    ...columnsOf('Subscription', t, {
      centerId: 'The id of the center, a positive integer.',
      status: 'Whether it is paid for.',
      billingCycle: 'How long a paid period is: one month or one year.',
      currentPeriodStart: 'When the current paid period or trial began, in UTC.',
      currentPeriodEnd: 'When the current paid period or trial ends, in UTC.',
      seatLimit: 'The maximum number of memberships with the status ACTIVE.',
    }),
    id: t.exposeID('id', { description: 'The id of the subscription, `sub_…`.' }),
    planId: t.exposeID('planId', { description: 'The id of the plan, such as `center-growth`.' }),
    planName: t.string({
      description: 'The name of the plan that people see.',
      resolve: ({ plan }) => plan.name,
    }),
    plan: t.field({ type: Plan, description: 'The plan with its price.', resolve: ({ plan }) => plan }),
    seatUsed: t.int({
      description: 'The number of memberships with the status ACTIVE.',
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
      description: 'How much of the service the center uses now.',
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
