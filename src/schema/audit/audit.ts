import type { Message } from '../../db/bus.ts';
import { announcedIds, auditTopic } from '../../domain/announcements.ts';
import { auditTypes } from '../../domain/audit/entry.ts';
import { auditFilter, countAuditEntries, listAuditEntries } from '../../domain/audit/list-entries.ts';
import { type AuditSubject, actorNamesOf, idsIn, subjectsOf } from '../../domain/audit/names.ts';
import { currentCenterId } from '../../domain/context.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { columns, onlyProperties } from '../exposed.ts';
import { inputType } from '../input-types.ts';
import { counted } from '../paging.ts';

/** By the id in the details, which for an execution is not the id of its page. */
type AuditMention = Pick<AuditSubject, 'id' | 'kind' | 'name'>;

const subjectOf = makeLoader(subjectsOf);
const actorNameOf = makeLoader(actorNamesOf);

const AuditSubjectKind = enumType<AuditSubject['kind']>(
  'AuditSubjectKind',
  'What kind of thing an audit entry is about.',
  {
    MEMBER: 'A person of the center, by their membership, account or booking.',
    DECISION: 'A decision event, named by its description or action type.',
    WEBHOOK: 'A webhook, named by its URL.',
    API_KEY: 'An API key, named by its display name.',
    WORKFLOW: 'A workflow, or one of its executions.',
    POLICY: 'A policy of the center.',
    GROUP: 'An approval group, by the name that people see.',
    DELEGATION: 'A delegation of approvals, named by the delegator and the delegate.',
    CHAT_CHANNEL: 'A chat channel that receives notifications.',
  },
);

const AuditSubjectRef = builder.objectRef<AuditSubject>('AuditSubject').implement({
  description: 'The object that an audit entry is about.',
  fields: onlyProperties({
    kind: [AuditSubjectKind, 'What kind of thing it is.'],
    id: ['ID', 'The id of the object, such as `evt_…`; for an execution that of its workflow.'],
    name: ['String', 'The present name of the object, which may have changed since.'],
  }),
});

const AuditMentionRef = builder.objectRef<AuditMention>('AuditMention').implement({
  description: 'An object that the details of an audit entry name by its id.',
  fields: onlyProperties({
    id: ['ID', 'The id as it appears in `detail`.'],
    kind: [AuditSubjectKind, 'What kind of thing it is.'],
    name: ['String', 'The present name of the object, which may have changed since.'],
  }),
});

const AuditEntry = builder.prismaNode('AuditEntry', {
  id: { field: 'id', description: 'The id of the audit entry, `aud_…`.' },
  description: "An entry of the center's audit log. Each entry is also a record on the audit chain.",
  authScopes: { access: { roles: ['ADMIN'] } },
  fields: (t) => ({
    ...columns(t, {
      type: `What was done: ${auditTypes.join(', ')}.`,
      actorId:
        'The id of the person (a UUID), API key or service that did it; null for a caller without credentials.',
      actorEmail:
        'The email address of the person at the time; null for API keys, the service and people without one.',
      target: 'The id of the changed object.',
      detail: 'What changed; its members depend on `type`.',
      ip: 'The IP address that the request came from; null for the service.',
      occurredAt: 'When the action took place, in UTC.',
    }),
    actorName: t.string({
      nullable: true,
      description:
        'The name of the member or API key that did it; null for anybody who does not belong to the center.',
      complexity: 5,
      resolve: async ({ actorId }, _, ctx) => (actorId ? ((await actorNameOf(ctx, actorId)) ?? null) : null),
    }),
    subject: t.field({
      type: AuditSubjectRef,
      nullable: true,
      description: 'The object that was changed, with its present name; null if it is gone or has none.',
      complexity: 5,
      resolve: async ({ target }, _, ctx) => (target ? ((await subjectOf(ctx, target)) ?? null) : null),
    }),
    mentions: t.field({
      type: [AuditMentionRef],
      description:
        'The objects that `detail` names by their ids, such as the people who were added to a group; without those that are gone.',
      complexity: 5,
      resolve: async ({ detail }, _, ctx) => {
        const mentions = await Promise.all(
          idsIn(detail).map(async (id) => {
            const subject = await subjectOf(ctx, id);
            return subject ? [{ id, kind: subject.kind, name: subject.name }] : [];
          }),
        );
        return mentions.flat();
      },
    }),
    chainIndex: t.exposeInt('index', { description: 'The index on the audit chain, from 0.' }),
  }),
});

const AuditFilter = inputType('AuditFilter', auditFilter, { description: 'Filters for the audit log.' });

builder.subscriptionField('auditEntries', (t) =>
  t.prismaField({
    type: [AuditEntry],
    description:
      'New audit entries of the center, except approvals and rejections of decisions, which `decisionEvents` announces.',
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
      extensions: { fromReplica: true },
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
    counted(),
  ),
);
