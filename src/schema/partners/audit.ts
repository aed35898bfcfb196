import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { countAudit, listAudit, sliceOfAudit } from '../../domain/partners/activity.ts';
import type { Page } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { byOccurredAt, connectionOf } from '../connections.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { counted, limitArgument, Pagination, pageArgument } from '../paging.ts';

export const PartnerAuditEntry = builder.objectRef<AuditEntry>('PartnerAuditEntry').implement({
  description: "An audit entry of one of the partner's centers or of the partner.",
  fields: (t) => ({
    ...columnsOf('AuditEntry', t, {
      type: 'The type, as in the audit log of the center.',
      actorId: 'The person, API key or service that did it.',
      actorEmail: 'The email address of the person at the time.',
      centerId: 'The center; null for entries of the partner.',
      target: 'The id of the changed object.',
      detail: 'Details; the shape depends on the type.',
      ip: 'The IP address.',
      occurredAt: 'When it happened.',
    }),
    id: t.exposeID('id', { description: 'The id of the entry.' }),
  }),
});

const PartnerAuditPage = builder.objectRef<Page<AuditEntry>>('PartnerAuditPage').implement({
  description: "One page of a partner's audit entries.",
  fields: onlyProperties({
    items: [[PartnerAuditEntry], 'The audit entries of this page, newest first.'],
    info: [Pagination, 'Pagination.'],
  }),
});

const startDate = { type: 'Date', description: 'The first day, in UTC.' } as const;
const endDate = { type: 'Date', description: 'The last day, in UTC.' } as const;

builder.queryFields((t) => ({
  partnerAudit: t.connection(
    {
      type: PartnerAuditEntry,
      description: "The audit log of the partner's centers, newest first.",
      extensions: { fromReplica: true },
      authScopes: { access: { partner: 'any' } },
      args: { startDate: t.arg(startDate), endDate: t.arg(endDate) },
      resolve: async (_, { startDate, endDate, ...args }, ctx) => ({
        ...(await connectionOf({
          args,
          ...byOccurredAt('aud'),
          load: (slice) => sliceOfAudit(ctx, { startDate, endDate }, slice),
        })),
        totalCount: () => countAudit(ctx, { startDate, endDate }),
      }),
    },
    counted('The total number.'),
  ),
  partnerAuditPage: t.field({
    type: PartnerAuditPage,
    description: "A page of the audit log of the partner's centers, newest first.",
    extensions: { fromReplica: true },
    authScopes: { access: { partner: 'any' } },
    args: {
      page: t.arg.int(pageArgument),
      limit: t.arg.int(limitArgument),
      startDate: t.arg(startDate),
      endDate: t.arg(endDate),
    },
    resolve: (_, args, ctx) => listAudit(ctx, args),
  }),
}));
