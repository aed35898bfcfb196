import { z } from 'zod';
import * as enums from '../../db/generated/prisma/enums.ts';
import { ok } from '../envelope.ts';
import { route } from '../route.ts';
import { success, timestamp } from '../schemas.ts';

export const subscriptionShape = z
  .object({
    planId: z.string(),
    planName: z.string(),
    status: z.enum(enums.SubscriptionStatus).meta({ id: 'SubscriptionStatus' }),
    currentPeriodEnd: timestamp,
    seatLimit: z.int(),
    seatUsed: z.int(),
    billingCycle: z.enum(enums.BillingCycle).meta({ id: 'BillingCycle' }),
    usage: z.object({ decisionRecords: z.int(), apiKeys: z.int(), webhooks: z.int(), workflows: z.int() }),
  })
  .meta({ id: 'Subscription' });

export const subscriptionSelection = /* GraphQL */ `
  planId planName status currentPeriodEnd seatLimit seatUsed billingCycle
  usage { decisionRecords apiKeys webhooks workflows }`;

export const subscriptionRoutes = [
  route({
    method: 'GET',
    path: '/center/subscription',
    operationId: 'getSubscription',
    summary: "The current center's subscription",
    tag: 'Subscription',
    auth: 'token',
    document: /* GraphQL */ `query { centerSubscription { ${subscriptionSelection} } }`,
    project: ({ centerSubscription }: { centerSubscription: z.infer<typeof subscriptionShape> }) =>
      ok(centerSubscription),
    response: success(subscriptionShape),
    status: 200,
    errors: ['UNAUTHORIZED', 'TOKEN_EXPIRED', 'INSUFFICIENT_ROLE', 'NO_MEMBERSHIP', 'NOT_FOUND'],
  }),
];
