import type { Plan as PlanRow } from '../../db/generated/prisma/client.ts';
import type * as enums from '../../db/generated/prisma/enums.ts';
import type { PlanKind as PlanKindValues } from '../../db/generated/prisma/enums.ts';
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
import { describedValues } from '../enum-values.ts';
import { Vertical } from '../enums.ts';
import { CenterFeature, PlanFeature } from '../features/features.ts';

const PlanKind = builder.enumType('PlanKind', {
  description: 'The kind of plan: for a center, or for its tenant on the learning host.',
  values: describedValues<keyof typeof PlanKindValues>({
    CENTER: 'For a center on this platform.',
    LMS: "For a center's tenant on the learning host.",
  }),
});

export const Plan = builder.objectRef<PlanRow>('Plan').implement({
  description: 'A plan.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the plan, used in orders.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    vertical: t.expose('vertical', {
      type: Vertical,
      nullable: true,
      description: 'The vertical; null for all.',
    }),
    priceMonthly: t.exposeInt('priceMonthly', {
      description: 'The monthly price in the smallest currency unit.',
    }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).' }),
    seatLimit: t.exposeInt('seatLimit', { description: 'The maximum number of active members.' }),
    features: t.exposeStringList('features', { description: 'The included features.' }),
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

const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'The status of a subscription.',
  values: describedValues<enums.SubscriptionStatus>({
    TRIAL: 'Free trial.',
    ACTIVE: 'Paid for the current period.',
    PAST_DUE: 'A payment failed, or the trial ended without one.',
    SUSPENDED: 'Suspended manually.',
    CANCELED: 'Canceled; it can be resumed.',
  }),
});

const BillingCycle = builder.enumType('BillingCycle', {
  description: 'The billing period.',
  values: describedValues<enums.BillingCycle>({
    MONTHLY: 'Monthly.',
    YEARLY: 'Yearly.',
  }),
});

const SubscriptionUsage = builder
  .objectRef<Awaited<ReturnType<typeof usageOf>>>('SubscriptionUsage')
  .implement({
    description: 'Usage of a center.',
    fields: (t) => ({
      decisionRecords: t.exposeInt('decisionRecords', {
        description: 'The number of records on its chains.',
      }),
      apiKeys: t.exposeInt('apiKeys', { description: 'The number of API keys that are not revoked.' }),
      webhooks: t.exposeInt('webhooks', { description: 'The number of webhooks.' }),
      workflows: t.exposeInt('workflows', { description: 'The number of workflows, including paused ones.' }),
    }),
  });

export const CenterSubscription = builder.objectRef<SubscriptionRow>('CenterSubscription').implement({
  description: 'A subscription of a center.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the subscription.' }),
    centerId: t.exposeInt('centerId', { description: 'The id of the center.' }),
    planId: t.exposeID('planId', { description: 'The id of the plan.' }),
    planName: t.string({ description: 'The name of the plan.', resolve: ({ plan }) => plan.name }),
    plan: t.field({ type: Plan, description: 'The plan with its price.', resolve: ({ plan }) => plan }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'The status.' }),
    billingCycle: t.expose('billingCycle', { type: BillingCycle, description: 'The billing period.' }),
    currentPeriodStart: t.expose('currentPeriodStart', {
      type: 'DateTime',
      description: 'When the current period began.',
    }),
    currentPeriodEnd: t.expose('currentPeriodEnd', {
      type: 'DateTime',
      description: 'When the current period or trial ends.',
    }),
    seatLimit: t.exposeInt('seatLimit', { description: 'The maximum number of active members.' }),
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
