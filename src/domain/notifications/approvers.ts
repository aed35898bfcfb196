// Whose approval a decision needs: people who can fill an open seat through a group, not every ADMIN.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { quorumsFor } from '../decisions/approve/seat-approval.ts';
import { type RuledDecision, ruledDecisions } from '../decisions/approve/seats.ts';
import { isFinal } from '../decisions/approve/system-rejection.ts';
import { type ApprovingMember, approvalReason } from '../decisions/approve/waiting.ts';
import { findDecisionEvents } from '../decisions/read/list-events.ts';
import { approvalRightsOf } from '../memberships/approval-rights.ts';

/** A pending decision, and the people whose approval it needs. */
export interface NeededApproval {
  eventId: string;
  occurredAt: Date;
  expiresAt: Date | null;
  actorIds: string[];
}

/** The given decisions that wait for members of a group. */
export async function neededApprovals(ctx: Context, eventIds: readonly string[]): Promise<NeededApproval[]> {
  const events = await findDecisionEvents(ctx, eventIds);
  const decisions = await ruledDecisions(
    ctx,
    events.filter((event) => !isFinal(event)),
  );
  const groupsOf = new Map(decisions.map((decision) => [decision, groupsNamed(decision)]));
  const members = await membersOf(ownRows(ctx), ctx, [...new Set([...groupsOf.values()].flat())]);
  const needed: NeededApproval[] = [];
  for (const decision of members.length > 0 ? decisions : []) {
    const { id: eventId, createdAt: occurredAt, expiresAt } = decision.view;
    const groups = new Set(groupsOf.get(decision));
    const actorIds = members
      .filter((member) => member.groups.some((group) => groups.has(group)))
      .filter((member) => isNeeded(decision, member, ctx.now))
      .map(({ actorId }) => actorId);
    if (actorIds.length > 0) needed.push({ eventId, occurredAt, expiresAt, actorIds });
    // A large group takes milliseconds per decision.
    await yieldToOthers();
  }
  return needed;
}

/** Whether the decision needs this person's approval, rather than that of any ADMIN. */
export function isNeeded(decision: RuledDecision, approver: ApprovingMember, now: Date): boolean {
  const reason = approvalReason(decision, approver, now);
  return reason !== null && reason !== 'ANYONE';
}

function groupsNamed(decision: RuledDecision): string[] {
  return quorumsFor(decision).flatMap(({ seats, escalation }) => [
    ...seats.flatMap(({ group }) => group ?? []),
    ...(escalation ? [escalation.group] : []),
  ]);
}

interface GroupMember extends ApprovingMember {
  /** The member's own groups and those of delegators. */
  groups: string[];
}

const MEMBERS_AND_DELEGATES_OF_GROUPS = sql('members_and_delegates_of_groups', {
  id: 'text',
  actorId: 'uuid',
})`
  WITH own AS (
    SELECT m.id FROM approval_group_member g JOIN membership m ON m.id = g.membership_id AND m.status = 'ACTIVE'
    WHERE g.group_id = ANY ($groups) AND g.center_id = $centerId
  )
  SELECT m.id, m.actor_id AS "actorId" FROM membership m
  WHERE m.status = 'ACTIVE' AND m.center_id = $centerId AND (m.id IN (SELECT id FROM own) OR m.id IN (
    SELECT d.to_membership_id FROM delegation d JOIN own ON own.id = d.from_membership_id
    WHERE d.ended_at IS NULL AND d.starts_at <= $now::timestamptz AND d.ends_at > $now::timestamptz))`;

/** Members of the groups, and their delegates. */
async function membersOf(db: Queryable, ctx: Context, groups: readonly string[]): Promise<GroupMember[]> {
  if (groups.length === 0) return [];
  const rows = await MEMBERS_AND_DELEGATES_OF_GROUPS.rows(db, {
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
    if (!rights) return [];
    const delegated = rights.delegations.flatMap((delegation) => delegation.groups);
    return [{ actorId, rights, groups: [...rights.groups, ...delegated] }];
  });
}
