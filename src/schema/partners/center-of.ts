import { centersById } from '../../domain/centers/list-all.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { Payment } from '../subscriptions/payments.ts';
import { PartnerAuditEntry } from './audit.ts';

const centerOf = loadTogether(centersById);

builder.objectField(Payment, 'center', (t) =>
  t.field({
    type: Center,
    nullable: true,
    description: 'The center it is for, by name.',
    resolve: async ({ centerId }, _, ctx) => (await centerOf(ctx, String(centerId))) ?? null,
  }),
);

builder.objectField(PartnerAuditEntry, 'center', (t) =>
  t.field({
    type: Center,
    nullable: true,
    description: 'Where it was done, by name; null when it concerns the partner itself.',
    resolve: async ({ centerId }, _, ctx) =>
      centerId === null ? null : ((await centerOf(ctx, String(centerId))) ?? null),
  }),
);
