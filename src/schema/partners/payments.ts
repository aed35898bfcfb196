import { sliceOfPayments } from '../../domain/partners/payments.ts';
import { subscriptionOf } from '../../domain/subscriptions/charge.ts';
import { builder } from '../builder.ts';
import { byMoment, connectionOf } from '../connections.ts';
import { Payment } from '../subscriptions/payments.ts';
import { CenterSubscription } from '../subscriptions/subscription.ts';

builder.queryFields((t) => ({
  partnerPayments: t.connection({
    type: Payment,
    description: "Payments for the partner's centers, newest first.",
    authScopes: { access: { partner: 'any' } },
    resolve: (_, args, ctx) =>
      connectionOf({ args, ...byMoment('pay'), load: (slice) => sliceOfPayments(ctx, slice) }),
  }),
  subscriptionOf: t.field({
    type: CenterSubscription,
    description: "The subscription of one of the partner's centers; for the platform, of any center.",
    authScopes: { access: { partner: 'any', platformAdmin: true } },
    args: { centerId: t.arg.int({ required: true, description: 'The number of the center.' }) },
    resolve: (_, { centerId }, ctx) => subscriptionOf(ctx, centerId),
  }),
}));
