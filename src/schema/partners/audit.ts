import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { countAudit, listAudit, sliceOfAudit } from '../../domain/partners/activity.ts';
import type { Page } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { byOccurredAt, connectionOf } from '../connections.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { counted, limitArgument, Pagination, pageArgument } from '../paging.ts';

export const PartnerAuditEntry = builder.objectRef<AuditEntry>('PartnerAuditEntry').implement({
  description: 'An entry of the audit log of a center, of a partner or of the platform.',
  fields: (t) => ({
    ...columnsOf('AuditEntry', t, {
      type: 'What was done, as in the audit log of a center.',
      actorId:
        'The id of the person (a UUID), API key or service that did it; null for a caller without credentials.',
      actorEmail:
        'The email address of the person at the time; null for API keys, the service and people without one.',
      centerId: 'The id of the center; null for entries of the partner or the platform.',
      target: 'The id of the changed object.',
      detail: 'What changed; its members depend on `type`.',
      ip: 'The IP address that the request came from; null for the service.',
      occurredAt: 'When the action took place, in UTC.',
    }),
    id: t.exposeID('id', { description: 'The id of the audit entry, `aud_…`.' }),
  }),
});

const PartnerAuditPage = builder.objectRef<Page<AuditEntry>>('PartnerAuditPage').implement({
  description: "One page of a partner's audit entries.",
  fields: onlyProperties({
    items: [[PartnerAuditEntry], 'The audit entries of this page, newest first.'],
    info: [Pagination, 'The position of this page in the list.'],
  }),
});

const startDate = { type: 'Date', description: 'Only entries from this day on, in UTC.' } as const;
const endDate = { type: 'Date', description: 'Only entries to the end of this day, in UTC.' } as const;

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
    counted('How many entries match the filters.'),
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
