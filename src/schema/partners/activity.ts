import type { Message } from '../../db/bus.ts';
import { announcedIds, partnerAuditTopic, partnerPaymentsTopic } from '../../domain/announcements.ts';
import { centersById } from '../../domain/centers/list-all.ts';
import { auditById, paymentsById, sliceOfPayments } from '../../domain/partners/activity.ts';
import { currentPartnerId } from '../../domain/partners/partner-access.ts';
import { subscriptionOf } from '../../domain/subscriptions/view.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { byOccurredAt, connectionOf } from '../connections.ts';
import { Payment } from '../subscriptions/payments.ts';
import { CenterSubscription } from '../subscriptions/subscription.ts';
import { PartnerAuditEntry } from './audit.ts';

builder.queryFields((t) => ({
  partnerPayments: t.connection({
    type: Payment,
    description: "Payments for the partner's centers, newest first.",
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    resolve: (_, args, ctx) =>
      connectionOf({ args, ...byOccurredAt('pay'), load: (slice) => sliceOfPayments(ctx, slice) }),
  }),
  subscriptionOf: t.field({
    type: CenterSubscription,
    description: "The subscription of one of the partner's centers, or of any center for platform admins.",
    authScopes: { access: { partner: 'any', platformAdmin: true } },
    args: {
      centerId: t.arg.int({ required: true, description: 'The id of the center, a positive integer.' }),
    },
    resolve: (_, { centerId }, ctx) => subscriptionOf(ctx, centerId),
  }),
}));

builder.subscriptionFields((t) => ({
  partnerAudit: t.field({
    type: [PartnerAuditEntry],
    description:
      'New audit entries of the partner and its centers, except approvals and rejections of decisions.',
    authScopes: { access: { partner: 'any' } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(partnerAuditTopic(currentPartnerId(ctx))),
    resolve: (message: Message, _, ctx) => auditById(ctx, announcedIds(message)),
  }),
  partnerPayments: t.field({
    type: [Payment],
    description: "New payments for the partner's centers.",
    authScopes: { access: { partner: 'any' } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(partnerPaymentsTopic(currentPartnerId(ctx))),
    resolve: (message: Message, _, ctx) => paymentsById(ctx, announcedIds(message)),
  }),
}));

const centerOf = makeLoader(centersById);

builder.objectField(Payment, 'center', (t) =>
  t.field({
    type: Center,
    nullable: true,
    description: 'The center whose subscription was paid; null if the caller cannot see it.',
    resolve: async ({ centerId }, _, ctx) => (await centerOf(ctx, String(centerId))) ?? null,
  }),
);

builder.objectField(PartnerAuditEntry, 'center', (t) =>
  t.field({
    type: Center,
    nullable: true,
    description: 'The center that the entry is about; null for entries of the partner.',
    resolve: async ({ centerId }, _, ctx) =>
      centerId === null ? null : ((await centerOf(ctx, String(centerId))) ?? null),
  }),
);
