// The directory of a center maintains approval groups here: those with the source SCIM. Groups of the console are not visible to it,
// but their names are taken.
import { isUniqueViolation } from '../../db/faults.ts';
import type { ApprovalGroup } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { difference } from '../../lib/sets.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import {
  addGroup,
  changeMembers,
  describeGroup,
  GroupLimitReached,
  lockGroup,
  membershipIdsOf,
  removeGroup,
} from '../memberships/group-changes.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { invalidValue, notFound, notUnique, ScimError } from './errors.ts';
import type { Condition } from './filter.ts';
import { changedGroup, type GroupDocument } from './group-document.ts';
import { countGroups, type GroupRow, readGroup, readGroups } from './group-rows.ts';
import type { Change } from './patch.ts';

export type CheckVersion = (group: GroupRow) => void;

export async function findGroup(ctx: Context, id: string, withMembers: boolean): Promise<GroupRow> {
  const row = await readGroup(ownRows(ctx), currentCenterId(ctx), { id, withMembers });
  if (!row) throw notFound('Group');
  return row;
}

export async function listGroups(
  ctx: Context,
  conditions: readonly Condition[],
  { startIndex, count, withMembers }: { startIndex: number; count: number; withMembers: boolean },
): Promise<{ total: number; rows: GroupRow[] }> {
  const centerId = currentCenterId(ctx);
  const db = ownRows(ctx);
  const total = await countGroups(db, centerId, conditions);
  const page = { offset: startIndex - 1, limit: count, withMembers };
  return { total, rows: count === 0 ? [] : await readGroups(db, centerId, conditions, page) };
}

const EMPTY_GROUP: GroupDocument = { displayName: '', externalId: null, members: new Set() };

export async function createGroup(ctx: Context, changes: readonly Change[]): Promise<GroupRow> {
  const { displayName, externalId, members } = changedGroup(EMPTY_GROUP, changes);
  return inOneChange(ctx, async (work) => {
    // Serializes it with other changes of groups, so that of two with one name the second finds the first.
    work.notBefore(await beginPolicyChange(work.db, currentCenterId(ctx), ctx.now));
    await requireOwnName(work, displayName, null);
    await requireUsers(work, members);
    const { id } = await addGroup(ctx, work, {
      name: displayName,
      source: 'SCIM',
      externalId,
      membershipIds: members,
    });
    return (await readGroup(work.db, currentCenterId(ctx), { id, withMembers: true }))!;
  });
}

/** Replaces or changes a group. Members change by the difference to those at this moment, under a lock of the group. */
export async function changeGroup(
  ctx: Context,
  id: string,
  changes: readonly Change[],
  { replaces, check }: { replaces: boolean; check: CheckVersion | null },
): Promise<void> {
  await inOneChange(ctx, async (work) => {
    let group = await lockScimGroup(ctx, work, id, check);
    const present = await membershipIdsOf(work, id);
    const before = { displayName: group.name, externalId: group.externalId, members: present };
    const { displayName, externalId, members } = changedGroup(replaces ? EMPTY_GROUP : before, changes);
    if (displayName !== group.name || externalId !== group.externalId) {
      await requireOwnName(work, displayName, id);
      group = await describeGroup(ctx, work, group, { name: displayName, externalId });
    }
    const added = difference(members, present);
    const removed = difference(present, members);
    if (added.size === 0 && removed.size === 0) return;
    await requireUsers(work, added);
    await changeMembers(ctx, work, group, { added, removed });
  });
}

export async function deleteGroup(ctx: Context, id: string, check: CheckVersion | null): Promise<void> {
  await inOneChange(ctx, async (work) => {
    await removeGroup(ctx, work, await lockScimGroup(ctx, work, id, check));
  });
}

async function lockScimGroup(
  ctx: Context,
  work: Work,
  id: string,
  check: CheckVersion | null,
): Promise<ApprovalGroup> {
  const group = await lockGroup(ctx, work, id).catch((error: unknown) => {
    throw error instanceof DomainError && error.code === 'NOT_FOUND' ? notFound('Group') : error;
  });
  if (group.source !== 'SCIM') throw notFound('Group');
  if (check) check((await readGroup(work.db, group.centerId, { id, withMembers: true }))!);
  return group;
}

/** Names are compared in any case, because filters are. */
async function requireOwnName({ db }: Work, name: string, ownId: string | null): Promise<void> {
  const same = await db.approvalGroup.findMany({
    where: { name: { equals: name, mode: 'insensitive' }, id: { not: ownId ?? '' } },
    select: { name: true },
  });
  // The database reads the name as a pattern.
  if (same.some((group) => group.name.toLowerCase() === name.toLowerCase())) throw nameTaken();
}

const nameTaken = () => notUnique('displayName', 'belongs to another group of the center');

async function requireUsers({ db }: Work, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  const users = await db.membership.findMany({
    where: { id: { in: [...ids] }, status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] } },
    select: { id: true },
  });
  const known = new Set(users.map(({ id }) => id));
  const [unknown] = difference(ids, known);
  if (unknown !== undefined) throw invalidValue('members.value', `${unknown} is not the id of a user`);
}

async function inOneChange<T>(ctx: Context, work: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact(ctx, work);
  } catch (error) {
    if (error instanceof GroupLimitReached) throw new ScimError(403, error.message);
    if (isUniqueViolation(error)) throw nameTaken();
    throw error;
  }
}
