import type { Plan as PlanRow } from '../../db/generated/prisma/client.ts';
import type * as enums from '../../db/generated/prisma/enums.ts';
import type { PlanKind as PlanKindValues } from '../../db/generated/prisma/enums.ts';
import { listPlans } from '../../domain/plans/plans.ts';
import {
  currentSubscription,
  type SubscriptionRow,
  seatsUsed,
  usageOf,
} from '../../domain/subscriptions/view.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { Vertical } from '../enums.ts';

const PlanKind = builder.enumType('PlanKind', {
  description: 'What a plan is for: a center, or its tenant on the learning host.',
  values: worded<keyof typeof PlanKindValues>({
    CENTER: 'For a center on this platform.',
    LMS: "For a center's tenant on the learning host.",
  }),
});

export const Plan = builder.objectRef<PlanRow>('Plan').implement({
  description: 'What can be subscribed to.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the plan, to order it by.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    vertical: t.expose('vertical', {
      type: Vertical,
      nullable: true,
      description: 'The line of business it is made for; null suits all.',
    }),
    priceMonthly: t.exposeInt('priceMonthly', {
      description: "The price a month in the currency's smallest unit.",
    }),
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
    seatLimit: t.exposeInt('seatLimit', { description: 'How many active members it allows.' }),
    features: t.exposeStringList('features', { description: 'What it includes.' }),
  }),
});

builder.queryField('plans', (t) =>
  t.field({
    type: [Plan],
    description: 'What can be subscribed to, cheapest first.',
    authScopes: { access: { public: true } },
    args: { kind: t.arg({ type: PlanKind, required: true, description: 'What the plan is for.' }) },
    resolve: (_, { kind }, ctx) => listPlans(ctx, kind),
  }),
);

const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Where a subscription stands.',
  values: worded<enums.SubscriptionStatus>({
    TRIAL: 'The first days, which cost nothing.',
    ACTIVE: 'Paid for the running period.',
    PAST_DUE: 'A payment failed, or the trial ended without one.',
    SUSPENDED: 'Closed for a while by hand.',
    CANCELED: 'Ended by hand; it can be resumed.',
  }),
});

const BillingCycle = builder.enumType('BillingCycle', {
  description: 'How long one paid period is.',
  values: worded<enums.BillingCycle>({
    MONTHLY: 'A payment opens one month.',
    YEARLY: 'A payment opens one year.',
  }),
});

const SubscriptionUsage = builder
  .objectRef<Awaited<ReturnType<typeof usageOf>>>('SubscriptionUsage')
  .implement({
    description: 'How much of the service a center uses.',
    fields: (t) => ({
      decisionRecords: t.exposeInt('decisionRecords', { description: 'How many records its chains hold.' }),
      apiKeys: t.exposeInt('apiKeys', { description: 'API keys that were not revoked.' }),
      webhooks: t.exposeInt('webhooks', { description: 'How many webhooks are registered.' }),
      workflows: t.exposeInt('workflows', { description: 'Workflows, paused ones included.' }),
    }),
  });

export const CenterSubscription = builder.objectRef<SubscriptionRow>('CenterSubscription').implement({
  description: 'What a center pays for.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the subscription.' }),
    centerId: t.exposeInt('centerId', { description: 'The number of the center.' }),
    planId: t.exposeID('planId', { description: 'The id of the plan that is paid for.' }),
    planName: t.string({ description: 'What the plan is called.', resolve: ({ plan }) => plan.name }),
    plan: t.field({ type: Plan, description: 'The plan with its price.', resolve: ({ plan }) => plan }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    billingCycle: t.expose('billingCycle', { type: BillingCycle, description: 'How long a paid period is.' }),
    currentPeriodStart: t.expose('currentPeriodStart', {
      type: 'DateTime',
      description: 'When the running period began.',
    }),
    currentPeriodEnd: t.expose('currentPeriodEnd', {
      type: 'DateTime',
      description: 'When the running period, or the trial, ends.',
    }),
    seatLimit: t.exposeInt('seatLimit', { description: 'How many active members are allowed.' }),
    seatUsed: t.int({
      description: 'How many active members there are.',
      resolve: ({ centerId }, _, ctx) => seatsUsed(ctx, centerId),
    }),
    usage: t.field({
      type: SubscriptionUsage,
      description: 'How much of the service the center uses.',
      resolve: ({ centerId }, _, ctx) => usageOf(ctx, centerId),
    }),
  }),
});

builder.queryField('centerSubscription', (t) =>
  t.field({
    type: CenterSubscription,
    description: 'What the current center pays for, and how much it uses.',
    authScopes: { access: { roles: ['ADMIN'] } },
    resolve: (_, __, ctx) => currentSubscription(ctx),
  }),
);
