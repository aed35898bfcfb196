import type { PlainEvent } from '@countersign/proof-kit/decision';
import { type Context, currentCenterId } from '../context.ts';

/** The subject of an audit entry, with a readable name. */
export interface AuditSubject {
  kind: 'MEMBER' | 'DECISION' | 'WEBHOOK' | 'API_KEY' | 'WORKFLOW' | 'POLICY' | 'GROUP';
  /** The id of its page. */
  id: string;
  name: string;
}

interface Named {
  /** The id that the entry names. */
  id: string;
  name: string | null | undefined;
  /** The id of its page, if different. */
  pageId?: string;
}

type Find = (ctx: Context, ids: string[]) => Promise<Named[]>;

const selected = { id: true, name: true } as const;
const named = (ids: string[]) => ({ id: { in: ids } });

/** Ids of people have no prefix. */
const PERSON = 'person';
const isPerson = (id: string) => /^[0-9a-f]{8}-/.test(id);
const prefixOf = (id: string) => (isPerson(id) ? PERSON : id.slice(0, Math.max(0, id.indexOf('_'))));

/** By id prefix. All of them read only rows of the caller's center. */
const finders: Record<string, [AuditSubject['kind'], Find]> = {
  mbr: [
    'MEMBER',
    async ({ db }, ids) => {
      const rows = await db.membership.findMany({
        where: named(ids),
        include: { actor: { select: { name: true } } },
      });
      return rows.map(({ id, invitedName, invitedEmail, acceptedAt, actor }) => ({
        id,
        // Until the person accepts, a center sees only what it typed itself.
        name: (acceptedAt && actor?.name) || invitedName || invitedEmail,
      }));
    },
  ],
  evt: [
    'DECISION',
    async ({ db }, ids) => {
      const rows = await db.decisionEvent.findMany({
        where: named(ids),
        select: { id: true, content: true, actionType: true },
      });
      return rows.map(({ id, content, actionType }) => ({
        id,
        name: (content as unknown as PlainEvent).action.description || actionType,
      }));
    },
  ],
  whk: [
    'WEBHOOK',
    async ({ db }, ids) => {
      const webhooks = await db.webhook.findMany({ where: named(ids), select: { id: true, url: true } });
      return webhooks.map(({ id, url }) => ({ id, name: url }));
    },
  ],
  key: ['API_KEY', ({ db }, ids) => db.apiKey.findMany({ where: named(ids), select: selected })],
  exe: [
    'WORKFLOW',
    async ({ db }, ids) => {
      const runs = await db.workflowExecution.findMany({
        where: named(ids),
        select: { id: true, workflow: { select: selected } },
      });
      return runs.map(({ id, workflow }) => ({ id, name: workflow.name, pageId: workflow.id }));
    },
  ],
  bkg: [
    'MEMBER',
    async (ctx, ids) => {
      const bookings = await ctx.db.booking.findMany({
        where: named(ids),
        select: { id: true, bookedForId: true },
      });
      const names = await actorNamesOf(
        ctx,
        bookings.map(({ bookedForId }) => bookedForId),
      );
      return bookings.map(({ id, bookedForId }) => ({ id, name: names.get(bookedForId) }));
    },
  ],
  [PERSON]: [
    'MEMBER',
    async (ctx, ids) => {
      const names = await actorNamesOf(ctx, ids);
      return ids.map((id) => ({ id, name: names.get(id) }));
    },
  ],
  wf: ['WORKFLOW', ({ db }, ids) => db.workflow.findMany({ where: named(ids), select: selected })],
  pol: [
    'POLICY',
    (ctx, ids) =>
      ctx.db.policy.findMany({
        where: { ...named(ids), centerId: currentCenterId(ctx) },
        select: selected,
      }),
  ],
  grp: ['GROUP', ({ db }, ids) => db.approvalGroup.findMany({ where: named(ids), select: selected })],
};

/** The subjects of entries, by the id that the entry names. Deleted or unnamed subjects are omitted. */
export async function subjectsOf(ctx: Context, targets: string[]): Promise<Map<string, AuditSubject>> {
  const byPrefix = Map.groupBy(targets, prefixOf);
  const found = await Promise.all(
    [...byPrefix].map(async ([prefix, ids]) => {
      const [kind, find] = finders[prefix] ?? [];
      if (!kind || !find) return [];
      const rows = await find(ctx, ids);
      return rows.flatMap(({ id, name, pageId = id }): [string, AuditSubject][] =>
        name ? [[id, { kind, id: pageId, name }]] : [],
      );
    }),
  );
  return new Map(found.flat());
}

const isKey = (id: string) => id.startsWith('key_');

/** The same as `namesOf`, with the kind of a key: `API key “Back office”`. */
export async function actorNamesOf(ctx: Context, actorIds: string[]): Promise<Map<string, string>> {
  const names = await namesOf(ctx, actorIds);
  return new Map([...names].map(([id, name]) => [id, isKey(id) ? `API key “${name}”` : name]));
}

/** The present names of the center's people and API keys, by id. */
export async function namesOf({ db }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const people = ids.filter(isPerson);
  const keys = ids.filter(isKey);
  const [members, apiKeys] = await Promise.all([
    db.membership.findMany({
      where: {
        actorId: { in: people },
        OR: [{ acceptedAt: { not: null } }, { status: { notIn: ['INVITED', 'REJECTED'] } }],
      },
      select: { actorId: true, actor: { select: { name: true } } },
    }),
    db.apiKey.findMany({ where: { id: { in: keys } }, select: { id: true, name: true } }),
  ]);
  return new Map([
    ...members.flatMap(({ actorId, actor }): [string, string][] =>
      actorId && actor ? [[actorId, actor.name]] : [],
    ),
    ...apiKeys.map(({ id, name }): [string, string] => [id, name]),
  ]);
}
