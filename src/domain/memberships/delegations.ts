import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { ListPage } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import type { CenterAccess } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { delegationEntry } from './group-records.ts';
import { memberInclude, memberView } from './view.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 90;
const MOST_OPEN = 20;

export const delegateInput = z.object({
  toMembershipId: plainText(64).describe("The id of the delegate's membership, `mbr_…`."),
  from: z.date().describe('When the delegation begins.'),
  until: z.date().describe('When the delegation ends, at most 90 days after it begins.'),
  reason: plainText(1_000).trim().min(1).describe('Why the approvals are delegated, 1 to 1,000 characters.'),
});

const include = {
  fromMembership: { include: memberInclude },
  toMembership: { include: memberInclude },
} satisfies Prisma.DelegationInclude;

type DelegationRow = Prisma.DelegationGetPayload<{ include: typeof include }>;

export type DelegationView = ReturnType<typeof delegationView>;

function delegationView({ fromMembership, toMembership, ...row }: DelegationRow) {
  return { ...row, delegator: memberView(fromMembership), delegate: memberView(toMembership) };
}

/** Lets another member fill the seats of the caller's groups for a limited time. */
export async function delegateApprovals(
  ctx: Context,
  input: z.infer<typeof delegateInput>,
): Promise<DelegationView> {
  const { membershipId } = ownMembership(ctx);
  checkPeriod(ctx.now, input);
  if (input.toMembershipId === membershipId) {
    throw validationError([{ path: 'toMembershipId', message: 'must be another member' }]);
  }
  return transact(ctx, async (work) => {
    work.notBefore(await beginPolicyChange(work.db, currentCenterId(ctx), ctx.now));
    // A concurrent transaction that suspends or ends one of the two, or delegates for them, waits or has already committed.
    await work.db
      .$queryRaw`SELECT FROM membership WHERE id IN (${membershipId}, ${input.toMembershipId}) ORDER BY id FOR NO KEY UPDATE`;
    await checkDelegator(ctx, work, membershipId);
    const delegate = await work.db.membership.findUnique({ where: { id: input.toMembershipId } });
    if (delegate?.status !== 'ACTIVE') {
      const message = 'must be an ACTIVE membership of the center';
      throw validationError([{ path: 'toMembershipId', message }]);
    }
    const row = await work.db.delegation.create({
      data: {
        id: newId('dlg'),
        centerId: currentCenterId(ctx),
        fromMembershipId: membershipId,
        toMembershipId: delegate.id,
        startsAt: input.from,
        endsAt: input.until,
        reason: input.reason,
        createdAt: ctx.now,
      },
      include,
    });
    note(work, row, 'given');
    return delegationView(row);
  });
}

/** Only members of a group have seats to delegate, and their open delegations are limited. */
async function checkDelegator({ now }: Context, { db }: Work, membershipId: string): Promise<void> {
  if ((await db.approvalGroupMember.count({ where: { membershipId } })) === 0) {
    throw new DomainError('FORBIDDEN', 'Only a member of an approval group can delegate its seats.');
  }
  const open = await db.delegation.count({ where: { fromMembershipId: membershipId, ...openAt(now) } });
  if (open >= MOST_OPEN) {
    throw new DomainError('CONFLICT', `You can have at most ${MOST_OPEN} open delegations; end one first.`);
  }
}

/** Delegations that are in force or planned. */
const openAt = (now: Date) => ({ endedAt: null, endsAt: { gt: now } });

/** Ends a delegation early: by the delegator, or by an ADMIN. */
export async function endDelegation(ctx: Context, id: string): Promise<DelegationView> {
  const { membershipId, role } = ownMembership(ctx);
  return transact(ctx, async (work) => {
    const at = await beginPolicyChange(work.db, currentCenterId(ctx), ctx.now);
    work.notBefore(at);
    await work.db.$queryRaw`SELECT FROM delegation WHERE id = ${id} FOR UPDATE`;
    const row = await work.db.delegation.findUnique({ where: { id }, include });
    const isParty = row && [row.fromMembershipId, row.toMembershipId].includes(membershipId);
    if (!row || (role !== 'ADMIN' && !isParty)) {
      throw new DomainError('NOT_FOUND', 'Delegation not found.');
    }
    if (role !== 'ADMIN' && row.fromMembershipId !== membershipId) {
      throw new DomainError('INSUFFICIENT_ROLE', 'Only the delegator or an ADMIN can end a delegation.');
    }
    if (row.endedAt !== null || row.endsAt <= ctx.now) return delegationView(row);
    return delegationView(await end(work, row, at));
  });
}

interface DelegationFilter {
  open: boolean | null;
  own: boolean;
  delegatorId: string | null;
}

/** For an ADMIN all delegations of the center, for others those they gave or received; newest first. */
export async function listDelegations(
  ctx: Context,
  { open, own, delegatorId }: DelegationFilter,
  page: ListPage,
): Promise<DelegationView[]> {
  const { membershipId, role } = ownMembership(ctx);
  const asParty = { OR: [{ fromMembershipId: membershipId }, { toMembershipId: membershipId }] };
  const rows = await ctx.db.delegation.findMany({
    where: {
      AND: [
        role === 'ADMIN' && !own ? {} : asParty,
        delegatorId === null ? {} : { fromMembershipId: delegatorId },
        open === null ? {} : open ? openAt(ctx.now) : { NOT: openAt(ctx.now) },
      ],
    },
    orderBy: { id: 'desc' },
    ...page,
    include,
  });
  return rows.map(delegationView);
}

/** A colleague whom the caller can name as a delegate. */
export interface PossibleDelegate {
  membershipId: string;
  name: string;
}

/** ADMINs and members of the caller's groups. Other members do not see each other's names. */
export async function listPossibleDelegates(ctx: Context, page: ListPage): Promise<PossibleDelegate[]> {
  const { membershipId } = ownMembership(ctx);
  const shared = { group: { members: { some: { membershipId } } } };
  const rows = await ctx.db.membership.findMany({
    where: {
      status: 'ACTIVE',
      id: { not: membershipId },
      OR: [{ role: 'ADMIN' }, { approvalGroups: { some: shared } }],
    },
    include: { actor: { select: { name: true } } },
    orderBy: { id: 'asc' },
    ...page,
  });
  return rows.map(({ id, actor }) => ({ membershipId: id, name: actor?.name ?? '' }));
}

/** Ends the delegations that a member gave and received, when the membership is no longer ACTIVE. `at` dates the policy change. */
export async function endDelegationsOf(
  ctx: Context,
  work: Work,
  { id, centerId }: { id: string; centerId: number },
  at: Date,
): Promise<string[]> {
  const rows = await work.db.delegation.findMany({
    where: {
      centerId,
      ...openAt(ctx.now),
      OR: [{ fromMembershipId: id }, { toMembershipId: id }],
    },
    include,
  });
  for (const row of rows) await end(work, row, at);
  return rows.map((row) => row.id);
}

async function end(work: Work, { id }: DelegationRow, at: Date): Promise<DelegationRow> {
  const ended = await work.db.delegation.update({ where: { id }, data: { endedAt: at }, include });
  note(work, ended, 'ended');
  return ended;
}

function note(work: Work, row: DelegationRow, change: 'given' | 'ended'): void {
  const { id, centerId, fromMembership, toMembership, startsAt, endsAt, endedAt } = row;
  // Only ACTIVE memberships delegate, and they have an account.
  work.journal(delegationEntry(row, { from: fromMembership.actorId!, to: toMembership.actorId! }));
  const detail = {
    change: `delegation ${change}`,
    id,
    delegator: fromMembership.id,
    delegate: toMembership.id,
    from: startsAt.toISOString(),
    until: (endedAt ?? endsAt).toISOString(),
  };
  work.audit({ type: 'center.updated', target: id, centerId, detail });
}

function checkPeriod(now: Date, { from, until }: { from: Date; until: Date }): void {
  const problem = (path: string, message: string) => validationError([{ path, message }]);
  if (until <= from) throw problem('until', 'must be after from');
  if (until <= now) throw problem('until', 'must be in the future');
  if (until.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
    throw problem('until', `must be at most ${MOST_DAYS} days after from`);
  }
}

function ownMembership({ principal }: Context): CenterAccess & { open: true } {
  if (principal.kind === 'actor' && principal.center.open) return principal.center;
  throw new DomainError('NO_MEMBERSHIP', 'Only a member of a center has delegations.');
}
