import { MAX_GROUP_MEMBERS } from '@countersign/proof-kit/decision';
import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/faults.ts';
import type { ApprovalGroup } from '../../db/generated/prisma/client.ts';
import { GroupSource } from '../../db/generated/prisma/enums.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { difference } from '../../lib/sets.ts';
import { escapeLike, plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';
import {
  addGroup,
  changeMembers,
  describeGroup,
  lockGroup,
  membershipIdsOf,
  removeGroup,
} from './group-changes.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

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

export const groupSourceInput = z.object({
  id: id.describe('The id of the group, `grp_…`.'),
  source: z.enum(GroupSource).describe('Where the group is maintained from now on.'),
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
  return uniquelyNamed(input.name, () =>
    transact(ctx, (work) => addGroup(ctx, work, { name: input.name, source: 'CONSOLE' })),
  );
}

export async function renameGroup(ctx: Context, input: z.infer<typeof renameGroupInput>) {
  return uniquelyNamed(input.name, () =>
    transact(ctx, async (work) => {
      const group = await lockConsoleGroup(ctx, work, input.id);
      if (group.name === input.name) return group;
      return describeGroup(ctx, work, group, { name: input.name, externalId: group.externalId });
    }),
  );
}

export async function setGroupMembers(ctx: Context, input: z.infer<typeof groupMembersInput>) {
  return transact(ctx, async (work) => {
    const group = await lockConsoleGroup(ctx, work, input.id);
    const found = await work.db.membership.findMany({
      where: { id: { in: input.membershipIds }, status: 'ACTIVE' },
      select: { id: true },
    });
    const active = new Set(found.map((membership) => membership.id));
    const wrong = input.membershipIds.findIndex((membershipId) => !active.has(membershipId));
    if (wrong !== -1) {
      const message = 'must be an ACTIVE membership of the center';
      throw validationError([{ path: `membershipIds.${wrong}`, message }]);
    }
    const previous = await membershipIdsOf(work, group.id);
    const added = difference(active, previous);
    const removed = difference(previous, active);
    return changeMembers(ctx, work, group, { added, removed });
  });
}

/** A group that a policy names cannot be deleted, because its seats could never be filled. */
export async function deleteGroup(ctx: Context, groupId: string) {
  return transact(ctx, async (work) => removeGroup(ctx, work, await lockConsoleGroup(ctx, work, groupId)));
}

/** Hands a group over to the directory of the center, or back to its console. */
export async function setGroupSource(
  ctx: Context,
  { id: groupId, source }: z.infer<typeof groupSourceInput>,
): Promise<ApprovalGroup> {
  return transact(ctx, async (work) => {
    const group = await lockGroup(ctx, work, groupId);
    if (group.source === source) return group;
    const detail = { change: 'group source', name: group.name, sourceBefore: group.source, source };
    work.audit({ type: 'center.updated', target: groupId, detail });
    return work.db.approvalGroup.update({
      where: { id: groupId },
      // The directory's own id means nothing to a group that it does not maintain.
      data: { source, updatedAt: ctx.now, ...(source === 'CONSOLE' && { externalId: null }) },
    });
  });
}

async function lockConsoleGroup(ctx: Context, work: Work, groupId: string): Promise<ApprovalGroup> {
  const group = await lockGroup(ctx, work, groupId);
  if (group.source === 'CONSOLE') return group;
  throw new DomainError(
    'CONFLICT',
    'The directory of the center maintains this group; change it there, or call setGroupSource first.',
  );
}

async function uniquelyNamed<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', `An approval group named “${name}” already exists.`);
  }
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
