// Changes of approval groups, by people in the console and by the directory of a center. Members are added and removed under a lock
// of the group, so that concurrent changes all count.
import { MAX_GROUP_MEMBERS } from '@countersign/proof-kit/decision';
import type { Tx } from '../../db/database.ts';
import type { ApprovalGroup } from '../../db/generated/prisma/client.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import type { Work } from '../unit-of-work.ts';
import { groupEntry } from './group-records.ts';

const MOST_GROUPS = 200;

/** A center or a group is full. */
export class GroupLimitReached extends DomainError {}

interface NewGroup extends Pick<ApprovalGroup, 'name' | 'source'> {
  /** The directory's own id. */
  externalId?: string | null;
  membershipIds?: ReadonlySet<string>;
}

export async function addGroup(
  ctx: Context,
  work: Work,
  { name, source, externalId = null, membershipIds = new Set() }: NewGroup,
): Promise<ApprovalGroup> {
  const centerId = currentCenterId(ctx);
  work.notBefore(await beginPolicyChange(work.db, centerId, ctx.now));
  await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
  if ((await work.db.approvalGroup.count()) >= MOST_GROUPS) {
    throw new GroupLimitReached(
      'CONFLICT',
      `A center can have at most ${MOST_GROUPS} approval groups; delete one first.`,
    );
  }
  const data = {
    id: newId('grp'),
    centerId,
    name,
    source,
    externalId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const group = await work.db.approvalGroup.create({ data });
  await insertMembers(work, group, membershipIds);
  await noteChange(work, group, {
    change: 'group created',
    ...(source !== 'CONSOLE' && { source }),
    ...(membershipIds.size > 0 && { added: [...membershipIds] }),
  });
  return group;
}

/** Changes the name and the directory's own id of a locked group. */
export async function describeGroup(
  ctx: Context,
  work: Work,
  before: ApprovalGroup,
  { name, externalId }: Pick<ApprovalGroup, 'name' | 'externalId'>,
): Promise<ApprovalGroup> {
  const group = await work.db.approvalGroup.update({
    where: { id: before.id },
    data: { name, externalId, updatedAt: nextUpdate(before, ctx.now) },
  });
  if (name !== before.name) {
    await noteChange(work, group, { change: 'group renamed', nameBefore: before.name });
  } else {
    // The journal holds no ids of a directory.
    work.audit({ type: 'center.updated', target: before.id, detail: { change: 'group external id', name } });
  }
  return group;
}

/** Adds and removes members of a locked group. */
export async function changeMembers(
  ctx: Context,
  work: Work,
  group: ApprovalGroup,
  { added, removed }: { added: ReadonlySet<string>; removed: ReadonlySet<string> },
): Promise<ApprovalGroup> {
  await work.db.approvalGroupMember.deleteMany({
    where: { groupId: group.id, membershipId: { in: [...removed] } },
  });
  await insertMembers(work, group, added);
  await noteChange(work, group, { change: 'group members', added: [...added], removed: [...removed] });
  return work.db.approvalGroup.update({
    where: { id: group.id },
    data: { updatedAt: nextUpdate(group, ctx.now) },
  });
}

/** Later than the update before: the time is the version that a directory compares. */
const nextUpdate = ({ updatedAt }: ApprovalGroup, now: Date): Date =>
  new Date(Math.max(now.getTime(), updatedAt.getTime() + 1));

async function insertMembers({ db }: Work, { id, centerId }: ApprovalGroup, added: ReadonlySet<string>) {
  if (added.size > 0) {
    const data = [...added].map((membershipId) => ({ groupId: id, membershipId, centerId }));
    await db.approvalGroupMember.createMany({ data });
  }
  if ((await db.approvalGroupMember.count({ where: { groupId: id } })) > MAX_GROUP_MEMBERS) {
    throw new GroupLimitReached(
      'CONFLICT',
      `An approval group can have at most ${MAX_GROUP_MEMBERS} members; remove some first.`,
    );
  }
}

/** Deletes a locked group, unless a policy names it. */
export async function removeGroup(ctx: Context, work: Work, group: ApprovalGroup): Promise<ApprovalGroup> {
  const [policy] = await work.db.$queryRaw<{ name: string }[]>`
    SELECT name FROM policy
    WHERE center_id = ${currentCenterId(ctx)}
      AND (guards -> 'quorum' @> ${JSON.stringify([{ group: group.id }])}::jsonb OR guards ->> 'escalateToGroup' = ${group.id})
    LIMIT 1`;
  if (policy) {
    throw new DomainError(
      'CONFLICT',
      `The policy “${policy.name}” names this group; change the policy first.`,
    );
  }
  await work.db.approvalGroup.delete({ where: { id: group.id } });
  await noteChange(work, group, { change: 'group deleted' });
  return group;
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
    const updatedAt = nextUpdate(group, new Date());
    await work.db.approvalGroup.update({ where: { id: group.id }, data: { updatedAt } });
    work.journal(groupEntry(group, await memberIds(work.db, group.id)));
  }
  return rows.map(({ groupId }) => groupId);
}

/** Orders the change after the seals that may depend on the group, and locks the group. */
export async function lockGroup(ctx: Context, work: Work, groupId: string): Promise<ApprovalGroup> {
  work.notBefore(await beginPolicyChange(work.db, currentCenterId(ctx), ctx.now));
  await work.db.$queryRaw`SELECT FROM approval_group WHERE id = ${groupId} FOR UPDATE`;
  const group = await work.db.approvalGroup.findUnique({ where: { id: groupId } });
  return requireFound(group, 'Approval group not found.');
}

export async function membershipIdsOf({ db }: Work, groupId: string): Promise<Set<string>> {
  const rows = await db.approvalGroupMember.findMany({ where: { groupId }, select: { membershipId: true } });
  return new Set(rows.map(({ membershipId }) => membershipId));
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
