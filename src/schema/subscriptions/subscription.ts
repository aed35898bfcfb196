import * as enums from '../../db/generated/prisma/enums.ts';
import {
  currentSubscription,
  type SubscriptionRow,
  seatsUsed,
  usageOf,
} from '../../domain/subscriptions/view.ts';
import { builder } from '../builder.ts';
import { Plan } from './plan.ts';

export const SubscriptionStatus = builder.enumType(enums.SubscriptionStatus, {
  name: 'SubscriptionStatus',
  description: 'Where a subscription stands.',
});

const BillingCycle = builder.enumType(enums.BillingCycle, {
  name: 'BillingCycle',
  description: 'How long one paid period is.',
});

const SubscriptionUsage = builder
  .objectRef<Awaited<ReturnType<typeof usageOf>>>('SubscriptionUsage')
  .implement({
    description: 'How much of the service a center uses.',
    fields: (t) => ({
      decisionRecords: t.exposeInt('decisionRecords', { description: 'Records on its chains.' }),
      apiKeys: t.exposeInt('apiKeys', { description: 'API keys that were not revoked.' }),
      webhooks: t.exposeInt('webhooks', { description: 'Registered webhooks.' }),
      workflows: t.exposeInt('workflows', { description: 'Workflows, paused ones included.' }),
    }),
  });

export const CenterSubscription = builder.objectRef<SubscriptionRow>('CenterSubscription').implement({
  description: 'What a center pays for.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the subscription.' }),
    centerId: t.exposeInt('centerId', { description: 'The center it belongs to.' }),
    planId: t.exposeID('planId', { description: 'The plan.' }),
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
    description: 'The subscription of the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    resolve: (_, __, ctx) => currentSubscription(ctx),
  }),
);
