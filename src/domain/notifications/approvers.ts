// Who can decide a pending decision: the members in whose list of requests it is.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isSamePerson } from '@countersign/proof-kit/approver-id';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { quorumsFor } from '../decisions/approve/seat-approval.ts';
import type { RuledDecision } from '../decisions/approve/seats.ts';
import { approvalReason, openDecisions } from '../decisions/approve/waiting.ts';
import { isPractice } from '../decisions/practice-type.ts';
import { type ApprovingMember, groupsOfQuorums, membersWhoDecide } from '../memberships/approval-rights.ts';

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
  const members = await membersWhoDecide(ownRows(ctx), currentCenterId(ctx), groups, ctx.now);
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
