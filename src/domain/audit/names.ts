import type { PlainEvent } from '@countersign/proof-kit/decision';
import type { Prisma } from '../../db/database.ts';
import { type Context, currentCenterId } from '../context.ts';

/** The subject of an audit entry, with a readable name. */
export interface AuditSubject {
  kind:
    | 'MEMBER'
    | 'DECISION'
    | 'WEBHOOK'
    | 'API_KEY'
    | 'WORKFLOW'
    | 'POLICY'
    | 'GROUP'
    | 'DELEGATION'
    | 'CHAT_CHANNEL';
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

/** The person of a membership, as its center may see them: until they accept, only what the center typed itself. */
const personSelected = {
  status: true,
  invitedName: true,
  invitedEmail: true,
  acceptedAt: true,
  actor: { select: { name: true } },
} as const;
type Person = Prisma.MembershipGetPayload<{ select: typeof personSelected }>;

function nameOfPerson({ status, acceptedAt, actor, invitedName, invitedEmail }: Person): string | null {
  const hasAccepted = acceptedAt !== null || (status !== 'INVITED' && status !== 'REJECTED');
  return (hasAccepted && actor?.name) || invitedName || invitedEmail;
}

/** By id prefix. All of them read only rows of the caller's center. */
const finders: Record<string, [AuditSubject['kind'], Find]> = {
  mbr: [
    'MEMBER',
    async ({ db }, ids) => {
      const rows = await db.membership.findMany({
        where: named(ids),
        select: { id: true, ...personSelected },
      });
      return rows.map(({ id, ...person }) => ({ id, name: nameOfPerson(person) }));
    },
  ],
  dlg: [
    'DELEGATION',
    async ({ db }, ids) => {
      const rows = await db.delegation.findMany({
        where: named(ids),
        select: {
          id: true,
          fromMembership: { select: personSelected },
          toMembership: { select: personSelected },
        },
      });
      return rows.map(({ id, fromMembership, toMembership }) => ({
        id,
        name: `${nameOfPerson(fromMembership)} to ${nameOfPerson(toMembership)}`,
      }));
    },
  ],
  cht: ['CHAT_CHANNEL', ({ db }, ids) => db.chatChannel.findMany({ where: named(ids), select: selected })],
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

const ID = /^(?:[a-z]{2,3}_[0-9a-z]{20,32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** More than the members of a group. */
const MAX_MENTIONS = 1_000;

/** The ids of people, groups and other things in the details of an entry, in their order. */
export function idsIn(detail: unknown): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && ID.test(value)) ids.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(detail);
  return [...ids].filter((id) => prefixOf(id) in finders).slice(0, MAX_MENTIONS);
}

const isKey = (id: string) => id.startsWith('key_');
const isScimToken = (id: string) => id.startsWith('scm_');

/** The same as `namesOf`, with the kind of a key or token: `API key “Back office”`. */
export async function actorNamesOf(ctx: Context, actorIds: string[]): Promise<Map<string, string>> {
  const names = await namesOf(ctx, actorIds);
  const kindOf = (id: string) => (isKey(id) ? 'API key' : isScimToken(id) ? 'Directory' : null);
  return new Map([...names].map(([id, name]) => [id, kindOf(id) ? `${kindOf(id)} “${name}”` : name]));
}

/** The present names of the center's people, API keys and SCIM tokens, by id. */
export async function namesOf({ db }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const people = ids.filter(isPerson);
  const keys = ids.filter(isKey);
  const scimTokenIds = ids.filter(isScimToken);
  const [members, apiKeys, scimTokens] = await Promise.all([
    db.membership.findMany({
      where: {
        actorId: { in: people },
        OR: [{ acceptedAt: { not: null } }, { status: { notIn: ['INVITED', 'REJECTED'] } }],
      },
      select: { actorId: true, actor: { select: { name: true } } },
    }),
    db.apiKey.findMany({ where: { id: { in: keys } }, select: selected }),
    scimTokenIds.length > 0 ? db.scimToken.findMany({ where: named(scimTokenIds), select: selected }) : [],
  ]);
  return new Map([
    ...members.flatMap(({ actorId, actor }): [string, string][] =>
      actorId && actor ? [[actorId, actor.name]] : [],
    ),
    ...[...apiKeys, ...scimTokens].map(({ id, name }): [string, string] => [id, name]),
  ]);
}
