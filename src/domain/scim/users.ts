// The directory of a center maintains its users here. It describes persons of the center and decides who is active; it never
// changes an account, and never reaches anyone of another center.
import { isDeepStrictEqual } from 'node:util';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { moveTo } from '../memberships/change-status.ts';
import { lockCenter } from '../memberships/seats.ts';
import type { Work } from '../unit-of-work.ts';
import { notFound, ScimError } from './errors.ts';
import { booleanOf, type Condition } from './filter.ts';
import { changeUsers, describeUser, keepUser } from './keep-user.ts';
import type { Change } from './patch.ts';
import { takeSeatForUser } from './seat.ts';
import { changedUser, EMPTY_USER, type UserDocument } from './user-document.ts';
import { countUsers, documentOf, readUser, readUsers, type UserRow } from './user-rows.ts';
import { requireOwnNames } from './user-uniqueness.ts';

/** Throws unless the resource still has the version that the directory expects. */
export type CheckVersion<Row> = (row: Row) => void;

export async function findUser(ctx: Context, id: string): Promise<UserRow> {
  const row = await readUser(ownRows(ctx), currentCenterId(ctx), id);
  if (!row) throw notFound('User');
  return row;
}

export async function listUsers(
  ctx: Context,
  conditions: readonly Condition[],
  { startIndex, count }: { startIndex: number; count: number },
): Promise<{ total: number; rows: UserRow[] }> {
  const centerId = currentCenterId(ctx);
  const db = ownRows(ctx);
  const total = await countUsers(db, centerId, conditions);
  const page = { offset: startIndex - 1, limit: count };
  return { total, rows: count === 0 ? [] : await readUsers(db, centerId, conditions, page) };
}

/** Replaces or changes what the directory says of a user. Without `active` the status stays as it is. */
export async function changeUser(
  ctx: Context,
  id: string,
  changes: readonly Change[],
  { replaces, check }: { replaces: boolean; check: CheckVersion<UserRow> },
): Promise<UserRow> {
  const centerId = currentCenterId(ctx);
  // A suspension ends delegations, whose order with the center's seals matters.
  const last = changes.findLast(({ target }) => target.attribute.name === 'active');
  const suspends = booleanOf(last?.value) === false;
  return changeUsers(ctx, async (work) => {
    const at = suspends ? await beginPolicyChange(work.db, centerId, ctx.now) : ctx.now;
    work.notBefore(at);
    await lockCenter(work.db, centerId);
    const row = await readUser(work.db, centerId, id);
    if (!row) throw notFound('User');
    check(row);
    const before = documentOf(row);
    const user = changedUser(replaces ? EMPTY_USER : before, changes);
    if (isDifferent(before, user)) {
      await requireOwnNames(work.db, centerId, user, { id, before });
      await keepUser(ctx, work, centerId, id, user);
      const person = await work.db.actor.findUniqueOrThrow({ where: { id: row.actorId } });
      await describeUser(work, person, { id, centerId, status: row.status }, user);
    }
    if (user.active !== null) await setActive(ctx, work, row, user.active, at);
    return (await readUser(work.db, centerId, id))!;
  });
}

/** Ends the membership. The user is found again by `externalId` only. */
export async function endUser(ctx: Context, id: string, check: CheckVersion<UserRow>): Promise<void> {
  const centerId = currentCenterId(ctx);
  await changeUsers(ctx, async (work) => {
    const at = await beginPolicyChange(work.db, centerId, ctx.now);
    work.notBefore(at);
    await lockCenter(work.db, centerId);
    const row = await readUser(work.db, centerId, id);
    if (!row) throw notFound('User');
    check(row);
    requireUnmarked(row);
    const membership = await work.db.membership.findUniqueOrThrow({ where: { id } });
    await moveTo(ctx, work, membership, {
      move: row.status === 'PENDING' ? 'reject' : 'end',
      at,
      isAdmin: true,
      byDirectory: true,
    });
  });
}

async function setActive(ctx: Context, work: Work, row: UserRow, active: boolean, at: Date): Promise<void> {
  const move = moveFor(row, active);
  if (move === null) return;
  const centerId = currentCenterId(ctx);
  if (move === 'suspend') requireUnmarked(row);
  else await takeSeatForUser(work.db, centerId);
  const membership = await work.db.membership.findUniqueOrThrow({ where: { id: row.id } });
  await moveTo(ctx, work, membership, { move, at, isAdmin: true, byDirectory: true });
  if (move !== 'suspend') return;
  await endProviderSessions(ctx, work, { centerId, actorId: row.actorId }, 'suspended by the directory');
}

/** Whom an ADMIN suspended, only an ADMIN reinstates. */
function moveFor({ status, suspendedByDirectory }: UserRow, active: boolean) {
  if (!active) return status === 'ACTIVE' ? 'suspend' : null;
  if (status === 'PENDING') return 'approve';
  return status === 'SUSPENDED' && suspendedByDirectory ? 'reinstate' : null;
}

/** A directory that lies must not lock a center out. */
function requireUnmarked({ emergencyAccess }: UserRow): void {
  if (!emergencyAccess) return;
  throw new ScimError(409, 'This ADMIN has emergency access; an ADMIN of the center must remove it first.');
}

const isDifferent = (before: UserDocument, after: UserDocument): boolean =>
  !isDeepStrictEqual({ ...before, active: null }, { ...after, active: null });
