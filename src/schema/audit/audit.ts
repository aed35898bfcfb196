import type { Message } from '../../db/bus.ts';
import { announcedIds, auditTopic } from '../../domain/announcements.ts';
import { auditTypes } from '../../domain/audit/entry.ts';
import { auditFilter, countAuditEntries, listAuditEntries } from '../../domain/audit/list-entries.ts';
import { currentCenterId } from '../../domain/context.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

const AuditEntry = builder.prismaNode('AuditEntry', {
  id: { field: 'id', description: 'Globally unique id.' },
  description: "An entry of the center's audit log. Each entry is also a record on the audit chain.",
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    type: t.exposeString('type', { description: `What was done: ${auditTypes.join(', ')}.` }),
    actorId: t.exposeString('actorId', {
      nullable: true,
      description: 'The person, API key or service that did it.',
    }),
    actorEmail: t.exposeString('actorEmail', {
      nullable: true,
      description: 'The email address of the person at the time.',
    }),
    target: t.exposeString('target', { nullable: true, description: 'The id of the changed object.' }),
    detail: t.expose('detail', {
      type: 'JSON',
      description: 'Details; the shape depends on the type.',
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The IP address.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
    chainIndex: t.exposeInt('index', { description: 'The index on the audit chain, from 0.' }),
  }),
});

const AuditFilter = builder
  .inputType('AuditFilter', {
    description: 'Filters for the audit log.',
    fields: (t) => ({
      types: t.stringList({ description: 'Only entries of one of these types.' }),
      actorId: t.string({ description: 'Only entries of this actor, API key or service.' }),
      target: t.string({ description: 'Only entries about the object with this id.' }),
      from: t.field({ type: 'DateTime', description: 'Only from this time on.' }),
      to: t.field({ type: 'DateTime', description: 'Only before this time.' }),
    }),
  })
  .validate(auditFilter);

builder.subscriptionField('auditEntries', (t) =>
  t.prismaField({
    type: [AuditEntry],
    description:
      'New audit entries of the center, except sealed decisions, which have their own subscription.',
    authScopes: { access: { roles: ['ADMIN'] } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(auditTopic(currentCenterId(ctx))),
    resolve: (query, message: Message, _, ctx) =>
      ctx.db.auditEntry.findMany({
        ...query,
        where: { id: { in: announcedIds(message) } },
        orderBy: { id: 'asc' },
      }),
  }),
);

builder.queryField('auditEntries', (t) =>
  t.connection(
    {
      type: AuditEntry,
      description: 'The audit log of the center, newest first.',
      authScopes: { access: { roles: ['ADMIN'] } },
      args: {
        filter: t.arg({
          type: AuditFilter,
          description: 'Filters. Default: all entries.',
        }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('aud', args, (window) => listAuditEntries(ctx, filter ?? {}, window))),
        totalCount: () => countAuditEntries(ctx, filter ?? {}),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);
