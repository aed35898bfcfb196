import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { countAudit, listAudit, sliceOfAudit } from '../../domain/partners/activity.ts';
import type { Page } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { byMoment, connectionOf } from '../connections.ts';
import { limitArgument, Pagination, pageArgument } from '../paging.ts';

export const PartnerAuditEntry = builder.objectRef<AuditEntry>('PartnerAuditEntry').implement({
  description: "Something that was done in one of the partner's centers, or to the partner itself.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the entry.' }),
    type: t.exposeString('type', { description: 'What was done, as in the audit log of the center.' }),
    actorId: t.exposeString('actorId', {
      nullable: true,
      description: 'The person, API key or service that did it.',
    }),
    actorEmail: t.exposeString('actorEmail', {
      nullable: true,
      description: 'The email address of the person at that time.',
    }),
    centerId: t.exposeInt('centerId', {
      nullable: true,
      description: 'Where it was done; null when it concerns the partner itself.',
    }),
    target: t.exposeString('target', { nullable: true, description: 'The id of what was changed.' }),
    detail: t.expose('detail', {
      type: 'JSON',
      description: 'The facts of what was done; their shape depends on the type.',
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The network address it was done from.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was done.' }),
  }),
});

const PartnerAuditPage = builder.objectRef<Page<AuditEntry>>('PartnerAuditPage').implement({
  description: "One page of a partner's audit entries.",
  fields: (t) => ({
    items: t.field({
      type: [PartnerAuditEntry],
      description: 'The audit entries of this page, newest first.',
      resolve: ({ items }) => items,
    }),
    info: t.field({ type: Pagination, description: 'Where the page stands.', resolve: ({ info }) => info }),
  }),
});

const startDate = { type: 'Date', description: 'The first day, in UTC.' } as const;
const endDate = { type: 'Date', description: 'The last day, in UTC.' } as const;

builder.queryFields((t) => ({
  partnerAudit: t.connection(
    {
      type: PartnerAuditEntry,
      description: "What was done in the partner's centers, newest first.",
      authScopes: { access: { partner: 'any' } },
      args: { startDate: t.arg(startDate), endDate: t.arg(endDate) },
      resolve: async (_, { startDate, endDate, ...args }, ctx) => ({
        ...(await connectionOf({
          args,
          ...byMoment('aud'),
          load: (slice) => sliceOfAudit(ctx, { startDate, endDate }, slice),
        })),
        startDate,
        endDate,
      }),
    },
    {
      fields: (f) => ({
        totalCount: f.int({
          description: 'How many there are in all.',
          resolve: (range, _, ctx) => countAudit(ctx, range),
        }),
      }),
    },
  ),
  partnerAuditPage: t.field({
    type: PartnerAuditPage,
    description: "A numbered page of what was done in the partner's centers, newest first.",
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
