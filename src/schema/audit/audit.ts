import type { Message } from '../../db/bus.ts';
import { announcedIds, auditTopic } from '../../domain/announcements.ts';
import { auditTypes } from '../../domain/audit/entry.ts';
import { auditFilter, countAuditEntries, listAuditEntries } from '../../domain/audit/list-entries.ts';
import { currentCenterId } from '../../domain/context.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

const AuditEntry = builder.prismaNode('AuditEntry', {
  id: { field: 'id', description: 'Its id, unique among everything there is.' },
  description: 'Something that was done in the center. Each entry is also a link of the audit chain.',
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    type: t.exposeString('type', { description: `What was done: ${auditTypes.join(', ')}.` }),
    actorId: t.exposeString('actorId', {
      nullable: true,
      description: 'The person, API key or service that did it.',
    }),
    actorEmail: t.exposeString('actorEmail', {
      nullable: true,
      description: 'The email address of the person at that time.',
    }),
    target: t.exposeString('target', { nullable: true, description: 'The id of what was changed.' }),
    detail: t.expose('detail', {
      type: 'JSON',
      description: 'The facts of what was done; their shape depends on the type.',
    }),
    ip: t.exposeString('ip', { nullable: true, description: 'The network address it was done from.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was done.' }),
    chainIndex: t.exposeInt('index', { description: 'Its place on the audit chain, from 0.' }),
  }),
});

const AuditFilter = builder
  .inputType('AuditFilter', {
    description: 'Which entries to show.',
    fields: (t) => ({
      types: t.stringList({ description: 'Only entries of one of these types.' }),
      actorId: t.string({ description: 'Only what this actor, key or service did.' }),
      target: t.string({ description: 'Only what was done to the thing with this id.' }),
      from: t.field({ type: 'DateTime', description: 'Only from this moment on.' }),
      to: t.field({ type: 'DateTime', description: 'Only before this moment.' }),
    }),
  })
  .validate(auditFilter);

builder.subscriptionField('auditEntries', (t) =>
  t.prismaField({
    type: [AuditEntry],
    description:
      'What was just done in the center, beside the sealing of decisions, which has a subscription of its own.',
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
      description: 'What was done in the center, newest first.',
      authScopes: { access: { roles: ['ADMIN'] } },
      args: {
        filter: t.arg({
          type: AuditFilter,
          description: 'Which entries to list; all of them when left out.',
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
