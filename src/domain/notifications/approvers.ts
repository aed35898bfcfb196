// Who can decide a pending decision: the members in whose list of requests it is.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isSamePerson } from '@countersign/proof-kit/approver-id';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { quorumsFor } from '../decisions/approve/seat-approval.ts';
import type { RuledDecision } from '../decisions/approve/seats.ts';
import { type ApprovingMember, approvalReason, openDecisions } from '../decisions/approve/waiting.ts';
import { isPractice } from '../decisions/practice-type.ts';
import { approvalRightsOf, groupsOfQuorums } from '../memberships/approval-rights.ts';

/** A pending decision, and the people who can decide it. */
export interface NeededApproval {
  eventId: string;
  occurredAt: Date;
  expiresAt: Date | null;
  actorIds: string[];
}

/** The given decisions that wait for people. */
export async function neededApprovals(ctx: Context, eventIds: readonly string[]): Promise<NeededApproval[]> {
  const decisions = await openDecisions(ctx, eventIds);
  if (decisions.length === 0) return [];
  const groups = [...new Set(decisions.flatMap((decision) => groupsOfQuorums(quorumsFor(decision))))];
  const members = await membersWhoDecide(ownRows(ctx), ctx, groups);
  const needed: NeededApproval[] = [];
  for (const decision of decisions) {
    const { id: eventId, createdAt: occurredAt, expiresAt } = decision.view;
    const actorIds = members
      .filter((member) => isNews(decision, member, ctx.now))
      .map(({ actorId }) => actorId);
    if (actorIds.length > 0) needed.push({ eventId, occurredAt, expiresAt, actorIds });
    // Many members take milliseconds per decision.
    await yieldToOthers();
  }
  return needed;
}

/**
 * Whether to tell a person of a decision at once: they can decide it, and did not ask for it themselves. Practice is not worth
 * a mail.
 */
export function isNews(decision: RuledDecision, approver: ApprovingMember, now: Date): boolean {
  const { event, view } = decision;
  if (isPractice(event.action.type)) return false;
  const askers = [event.actor.id, view.requester?.id];
  if (askers.some((id) => id !== undefined && isSamePerson(id, approver.actorId))) return false;
  return approvalReason(decision, approver, now) !== null;
}

const MEMBERS_WHO_DECIDE = sql('members_who_decide', {
  id: 'text',
  actorId: 'uuid',
})`
  WITH own AS (
    SELECT m.id FROM approval_group_member g JOIN membership m ON m.id = g.membership_id AND m.status = 'ACTIVE'
    WHERE g.group_id = ANY ($groups) AND g.center_id = $centerId
  )
  SELECT m.id, m.actor_id AS "actorId" FROM membership m JOIN actor a ON a.id = m.actor_id AND a.suspended_at IS NULL
  WHERE m.status = 'ACTIVE' AND m.center_id = $centerId AND (m.role = 'ADMIN' OR m.id IN (SELECT id FROM own) OR m.id IN (
    SELECT d.to_membership_id FROM delegation d JOIN own ON own.id = d.from_membership_id
    WHERE d.ended_at IS NULL AND d.starts_at <= $now::timestamptz AND d.ends_at > $now::timestamptz))`;

/** ADMINs, members of the groups, and the delegates of these. */
async function membersWhoDecide(
  db: Queryable,
  ctx: Context,
  groups: readonly string[],
): Promise<ApprovingMember[]> {
  const rows = await MEMBERS_WHO_DECIDE.rows(db, {
    groups,
    centerId: currentCenterId(ctx),
    now: ctx.now.toISOString(),
  });
  const rightsById = await approvalRightsOf(
    db,
    rows.map(({ id }) => id),
    ctx.now,
  );
  return rows.flatMap(({ id, actorId }) => {
    const rights = rightsById.get(id);
    return rights ? [{ actorId, rights }] : [];
  });
}
