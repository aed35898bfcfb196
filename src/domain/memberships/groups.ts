import { MAX_GROUP_MEMBERS } from '@countersign/proof-kit/decision';
import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/faults.ts';
import type { ApprovalGroup } from '../../db/generated/prisma/client.ts';
import { DomainError, requireFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { escapeLike, plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { groupEntry } from './group-records.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

const MOST_GROUPS = 200;

const id = plainText(64);
const name = plainText(128).trim().min(1);

export const createGroupInput = z.object({
  name: name.describe('The name that people see, unique in the center, 1 to 128 characters.'),
});
export const renameGroupInput = z.object({
  id: id.describe('The id of the group, `grp_…`.'),
  name: name.describe('The name that people see, unique in the center, 1 to 128 characters.'),
});
export const groupMembersInput = z.object({
  id: id.describe('The id of the group, `grp_…`.'),
  membershipIds: z
    .array(id)
    .max(MAX_GROUP_MEMBERS)
    .describe('The ids of at most 500 ACTIVE memberships of the center, `mbr_…`.'),
});

export function listGroups(
  ctx: Context,
  window: CursorWindow,
  search?: string | null,
): Promise<ApprovalGroup[]> {
  const text = escapeLike(search?.trim() ?? '');
  const where = text === '' ? {} : { name: { contains: text, mode: 'insensitive' } as const };
  return ctx.db.approvalGroup.findMany(newestFirst(window, where));
}

/** The ACTIVE members of each group. */
export async function membersOfGroups(
  ctx: Context,
  groupIds: readonly string[],
): Promise<Map<string, MemberView[]>> {
  const rows = await ctx.db.approvalGroupMember.findMany({
    where: { groupId: { in: [...groupIds] }, membership: { status: 'ACTIVE' } },
    include: { membership: { include: memberInclude } },
    orderBy: { membershipId: 'asc' },
  });
  const byGroup = Map.groupBy(rows, ({ groupId }) => groupId);
  return new Map(
    [...byGroup].map(([groupId, list]) => [groupId, list.map(({ membership }) => memberView(membership))]),
  );
}

/** Names of groups, by id. Deleted groups are omitted. */
export async function namesOfGroups(ctx: Context, groupIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.approvalGroup.findMany({
    where: { id: { in: [...groupIds] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map((group) => [group.id, group.name]));
}

export async function createGroup(ctx: Context, input: z.infer<typeof createGroupInput>) {
  const centerId = currentCenterId(ctx);
  return change(ctx, input.name, async (work) => {
    work.notBefore(await beginPolicyChange(work.db, centerId, ctx.now));
    await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
    if ((await work.db.approvalGroup.count()) >= MOST_GROUPS) {
      throw new DomainError(
        'CONFLICT',
        `A center can have at most ${MOST_GROUPS} approval groups; delete one first.`,
      );
    }
    const group = await work.db.approvalGroup.create({
      data: { id: newId('grp'), centerId, name: input.name, createdAt: ctx.now },
    });
    await noteChange(work, group, { change: 'group created' });
    return group;
  });
}

export async function renameGroup(ctx: Context, input: z.infer<typeof renameGroupInput>) {
  return change(ctx, input.name, async (work) => {
    const before = await lockGroup(ctx, work, input.id);
    const group = await work.db.approvalGroup.update({
      where: { id: input.id },
      data: { name: input.name },
    });
    const detail = { change: 'group renamed', nameBefore: before.name };
    await noteChange(work, group, detail);
    return group;
  });
}

export async function setGroupMembers(ctx: Context, input: z.infer<typeof groupMembersInput>) {
  const centerId = currentCenterId(ctx);
  const membershipIds = [...new Set(input.membershipIds)];
  return transact(ctx, async (work) => {
    const group = await lockGroup(ctx, work, input.id);
    const found = await work.db.membership.findMany({
      where: { id: { in: membershipIds }, status: 'ACTIVE' },
      select: { id: true },
    });
    const active = new Set(found.map((membership) => membership.id));
    const wrong = input.membershipIds.findIndex((membershipId) => !active.has(membershipId));
    if (wrong !== -1) {
      const message = 'must be an ACTIVE membership of the center';
      throw validationError([{ path: `membershipIds.${wrong}`, message }]);
    }
    const before = await work.db.approvalGroupMember.findMany({
      where: { groupId: group.id },
      select: { membershipId: true },
    });
    const previous = before.map((row) => row.membershipId);
    const added = membershipIds.filter((membershipId) => !previous.includes(membershipId));
    const removed = previous.filter((membershipId) => !membershipIds.includes(membershipId));
    await work.db.approvalGroupMember.deleteMany({ where: { groupId: group.id } });
    await work.db.approvalGroupMember.createMany({
      data: membershipIds.map((membershipId) => ({ groupId: group.id, membershipId, centerId })),
    });
    await noteChange(work, group, { change: 'group members', added, removed, membershipIds });
    return group;
  });
}

/** A group that a policy names cannot be deleted, because its seats could never be filled. */
export async function deleteGroup(ctx: Context, groupId: string) {
  return transact(ctx, async (work) => {
    const group = await lockGroup(ctx, work, groupId);
    const [policy] = await work.db.$queryRaw<{ name: string }[]>`
      SELECT name FROM policy
      WHERE center_id = ${currentCenterId(ctx)}
        AND (guards -> 'quorum' @> ${JSON.stringify([{ group: groupId }])}::jsonb OR guards ->> 'escalateToGroup' = ${groupId})
      LIMIT 1`;
    if (policy) {
      throw new DomainError(
        'CONFLICT',
        `The policy “${policy.name}” names this group; change the policy first.`,
      );
    }
    await work.db.approvalGroup.delete({ where: { id: groupId } });
    await noteChange(work, group, { change: 'group deleted' });
    return group;
  });
}

/** The names of groups by id. Throws unless all of them are groups of the caller's center. */
export async function namesOfOwnGroups(
  ctx: Context,
  named: readonly { path: string; id: string }[],
): Promise<Map<string, string>> {
  if (named.length === 0) return new Map();
  const names = await namesOfGroups(ctx, [...new Set(named.map((group) => group.id))]);
  refuseUnknown(named, (groupId) => names.has(groupId));
  return names;
}

function refuseUnknown(
  named: readonly { path: string; id: string }[],
  isKnown: (groupId: string) => boolean,
): void {
  const unknown = named.filter((group) => !isKnown(group.id));
  if (unknown.length === 0) return;
  throw validationError(
    unknown.map(({ path }) => ({ path, message: 'must be an approval group of the center' })),
  );
}

/** Throws unless all of them are groups of the center. They cannot be deleted until the transaction ends. */
export async function requireGroups(
  db: Tx,
  centerId: number,
  groups: readonly { path: string; id: string }[],
): Promise<void> {
  if (groups.length === 0) return;
  const ids = [...new Set(groups.map((group) => group.id))].sort();
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approval_group WHERE id = ANY (${ids}) AND center_id = ${centerId} ORDER BY id FOR SHARE`;
  const ownIds = new Set(found.map((row) => row.id));
  refuseUnknown(groups, (groupId) => ownIds.has(groupId));
}

/** Removes a membership that ends from its groups. The transaction has begun a policy change. */
export async function leaveGroups(work: Work, membershipId: string): Promise<string[]> {
  const rows = await work.db.approvalGroupMember.findMany({
    where: { membershipId },
    include: { group: true },
    orderBy: { groupId: 'asc' },
  });
  await work.db.approvalGroupMember.deleteMany({ where: { membershipId } });
  for (const { group } of rows) {
    work.journal(groupEntry(group, await memberIds(work.db, group.id)));
  }
  return rows.map(({ groupId }) => groupId);
}

/** Orders the change after the seals that may depend on the group, and locks the group. */
async function lockGroup(ctx: Context, work: Work, groupId: string): Promise<ApprovalGroup> {
  work.notBefore(await beginPolicyChange(work.db, currentCenterId(ctx), ctx.now));
  await work.db.$queryRaw`SELECT FROM approval_group WHERE id = ${groupId} FOR UPDATE`;
  const group = await work.db.approvalGroup.findUnique({ where: { id: groupId } });
  return requireFound(group, 'Approval group not found.');
}

/** The people of all its rows, also of those whose membership is suspended at the moment. */
async function memberIds(db: Tx, groupId: string): Promise<string[]> {
  const rows = await db.approvalGroupMember.findMany({
    where: { groupId },
    select: { membership: { select: { actorId: true } } },
  });
  return rows.flatMap(({ membership }) => membership.actorId ?? []);
}

async function noteChange(
  work: Work,
  group: ApprovalGroup,
  detail: { change: string; [name: string]: unknown },
): Promise<void> {
  const { id, name } = group;
  const ids = await memberIds(work.db, id);
  work.audit({ type: 'center.updated', target: id, detail: { ...detail, name, members: ids.length } });
  work.journal(groupEntry(group, ids, detail.change === 'group deleted'));
}

async function change<T>(ctx: Context, name: string, work: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact(ctx, work);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', `An approval group named “${name}” already exists.`);
  }
}
