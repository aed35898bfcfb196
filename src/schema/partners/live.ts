import type { Message } from '../../db/bus.ts';
import { announcedIds, partnerAuditTopic, partnerPaymentsTopic } from '../../domain/announcements.ts';
import { auditById } from '../../domain/partners/audit.ts';
import { currentPartnerId } from '../../domain/partners/partner-access.ts';
import { paymentsById } from '../../domain/partners/payments.ts';
import { builder } from '../builder.ts';
import { Payment } from '../subscriptions/payments.ts';
import { PartnerAuditEntry } from './audit.ts';

builder.subscriptionFields((t) => ({
  partnerAudit: t.field({
    type: [PartnerAuditEntry],
    description:
      "What was just done in the partner's centers or to the partner itself, beside the sealing of decisions.",
    authScopes: { access: { partner: 'any' } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(partnerAuditTopic(currentPartnerId(ctx))),
    resolve: (message: Message, _, ctx) => auditById(ctx, announcedIds(message)),
  }),
  partnerPayments: t.field({
    type: [Payment],
    description: "Payments for the partner's centers that were just recorded.",
    authScopes: { access: { partner: 'any' } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(partnerPaymentsTopic(currentPartnerId(ctx))),
    resolve: (message: Message, _, ctx) => paymentsById(ctx, announcedIds(message)),
  }),
}));
