import type { Context } from '../context.ts';
import { currentCenterId } from '../context.ts';

/** What an audit entry is about, as people know it. */
export interface AuditSubject {
  kind: 'MEMBER' | 'DECISION' | 'WEBHOOK' | 'API_KEY' | 'WORKFLOW' | 'POLICY' | 'GROUP';
  /** The id under which its own page is found. */
  id: string;
  name: string;
}

type Find = (ctx: Context, ids: string[]) => Promise<{ id: string; name: string | null }[]>;

const selected = { id: true, name: true } as const;

/** By the prefix of the id. All of them read only the rows of the caller's center. */
const finders: Record<string, [AuditSubject['kind'], Find]> = {
  mbr: [
    'MEMBER',
    async ({ db }, ids) => {
      const rows = await db.membership.findMany({
        where: { id: { in: ids } },
        select: {
          id: true,
          invitedName: true,
          invitedEmail: true,
          acceptedAt: true,
          actor: { select: { name: true } },
        },
      });
      return rows.map(({ id, invitedName, invitedEmail, acceptedAt, actor }) => ({
        id,
        // Until the person accepts, a center sees what it typed itself.
        name: (acceptedAt && actor?.name) || invitedName || invitedEmail,
      }));
    },
  ],
  evt: [
    'DECISION',
    async ({ db }, ids) => {
      const rows = await db.decisionEvent.findMany({
        where: { id: { in: ids } },
        select: { id: true, actionDescription: true, actionType: true },
      });
      return rows.map(({ id, actionDescription, actionType }) => ({
        id,
        name: actionDescription || actionType,
      }));
    },
  ],
  whk: [
    'WEBHOOK',
    async ({ db }, ids) =>
      (await db.webhook.findMany({ where: { id: { in: ids } }, select: { id: true, url: true } })).map(
        ({ id, url }) => ({ id, name: url }),
      ),
  ],
  key: ['API_KEY', ({ db }, ids) => db.apiKey.findMany({ where: { id: { in: ids } }, select: selected })],
  wf: ['WORKFLOW', ({ db }, ids) => db.workflow.findMany({ where: { id: { in: ids } }, select: selected })],
  pol: [
    'POLICY',
    (ctx, ids) =>
      ctx.db.policy.findMany({
        where: { id: { in: ids }, centerId: currentCenterId(ctx) },
        select: selected,
      }),
  ],
  grp: [
    'GROUP',
    ({ db }, ids) => db.approvalGroup.findMany({ where: { id: { in: ids } }, select: selected }),
  ],
};

/** The subjects of entries, by the id that the entry names; those that are gone or have no name are left out. */
export async function subjectsOf(ctx: Context, targets: string[]): Promise<Map<string, AuditSubject>> {
  const byPrefix = Map.groupBy(targets, (target) => target.slice(0, target.indexOf('_')));
  const found = await Promise.all(
    [...byPrefix].map(async ([prefix, ids]) => {
      const [kind, find] = finders[prefix] ?? [];
      if (!kind || !find) return [];
      const rows = await find(ctx, ids);
      return rows.flatMap(({ id, name }): [string, AuditSubject][] =>
        name ? [[id, { kind, id, name }]] : [],
      );
    }),
  );
  return new Map(found.flat());
}

/** The names of the people and keys of the center that did something, by the id that an entry names. */
export async function actorNamesOf({ db }: Context, actorIds: string[]): Promise<Map<string, string>> {
  const people = actorIds.filter((id) => /^[0-9a-f]{8}-/.test(id));
  const keys = actorIds.filter((id) => id.startsWith('key_'));
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
    ...apiKeys.map(({ id, name }): [string, string] => [id, `API key “${name}”`]),
  ]);
}
