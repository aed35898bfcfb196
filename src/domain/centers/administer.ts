// The states of a center as a table. It begins ACTIVE. INACTIVE is the stored form of "ended" and is final.
import type { CenterStatus } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { releaseBookings } from '../memberships/change-status.ts';
import { endGuardianships } from '../memberships/guardians.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transitionFor } from '../memberships/transitions.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { findCenter } from './find.ts';
import { type CenterView, centerView } from './view.ts';

export type CenterTransition = 'suspend' | 'reactivate' | 'end';

const TRANSITIONS: Readonly<Record<CenterTransition, { from: readonly CenterStatus[]; to: CenterStatus }>> = {
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  reactivate: { from: ['SUSPENDED'], to: 'ACTIVE' },
  end: { from: ['ACTIVE', 'SUSPENDED'], to: 'INACTIVE' },
};

/** The status after the transition, or null if it is not allowed in that status. */
export function statusAfter(from: CenterStatus, move: CenterTransition): CenterStatus | null {
  const { from: starts, to } = TRANSITIONS[move];
  return starts.includes(from) ? to : null;
}

/** A platform admin suspends, reopens or ends a center. Its records always stay. */
export async function moveCenter(ctx: Context, id: string, move: CenterTransition): Promise<CenterView> {
  const { id: centerId } = await findCenter(ctx, { id });
  const center = await transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const { status: from } = await work.db.center.findUniqueOrThrow({ where: { id: centerId } });
    const to = statusAfter(from, move);
    if (!to)
      throw new DomainError('CONFLICT', `The action ${move} is not allowed for a center that is ${from}.`);
    if (to === 'INACTIVE') {
      await endMemberships(ctx, work, centerId);
      await endGuardianships(work, { centerId });
      await releaseBookings(work.db, { centerId }, ctx.now);
    }
    work.audit({
      type: 'center.updated',
      target: String(centerId),
      centerId,
      detail: { from: { status: from }, to: { status: to } },
    });
    return work.db.center.update({ where: { id: centerId }, data: { status: to } });
  });
  return centerView(ctx.app.db.pool, center);
}

/** When a center ends, its memberships end and its invitations are withdrawn, each by its own transition and audit entry. */
async function endMemberships(ctx: Context, work: Work, centerId: number): Promise<void> {
  const open = await work.db.membership.findMany({
    where: { centerId, status: { notIn: ['ENDED', 'REJECTED'] } },
    select: { id: true, status: true },
    orderBy: { id: 'asc' },
  });
  for (const to of ['ENDED', 'REJECTED'] as const) {
    const moved = open.filter(
      ({ status }) => transitionFor(status, to) && (to === 'ENDED' || !transitionFor(status, 'ENDED')),
    );
    await work.db.membership.updateMany({
      where: { id: { in: moved.map(({ id }) => id) } },
      data: { status: to, ...(to === 'ENDED' && { endedAt: ctx.now }) },
    });
    for (const { id, status: from } of moved) {
      const detail = { from, to, move: transitionFor(from, to) };
      work.audit({ type: 'membership.moved', target: id, centerId, detail });
    }
  }
}
