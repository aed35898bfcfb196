// What became of a request, for people who could have decided it: a mail led them to it, and another person was faster.

import { sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type Context, ownRows } from '../../context.ts';
import { approvalsOf, contentOf } from '../read/approvals.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import { type DecisionEventView, eventNotFound } from '../row.ts';
import { memberOf } from './admission.ts';
import { isSystemRejection, type SystemRejection } from './agent-events.ts';
import { ownRights, requireSeat, seatsOf } from './seats.ts';

/** What one approver or the service decided. */
export interface MadeDecision {
  /** Null for the service, and if the name was not given or erased. */
  name: string | null;
  result: 'approved' | 'rejected';
  at: Date;
  /** Why the service rejected it; null if a person or a system of the center decided. */
  cause: SystemRejection | null;
  isMine: boolean;
}

export interface DecisionResult {
  eventId: string;
  status: DecisionEventView['status'];
  /** Whether the caller may read the decision itself. */
  readable: boolean;
  /** Oldest first. */
  decisions: MadeDecision[];
}

export async function decisionResult(ctx: Context, eventId: string): Promise<DecisionResult> {
  const view = await getDecisionEvent(ctx, eventId);
  const readable = await mayRead(ctx, view);
  if (!readable && !(await couldDecide(ctx, view))) throw eventNotFound();
  const rows = (await approvalsOf(ctx, [view.id])).get(view.id) ?? [];
  const me = ctx.principal.kind === 'actor' ? ctx.principal.actorId : null;
  return {
    eventId: view.id,
    status: view.status,
    readable,
    decisions: rows.map((row) => {
      const { approver, by, reason, result } = contentOf(row);
      const isService = by.kind === 'system';
      return {
        name: isService ? null : approver.name || null,
        result,
        at: row.createdAt,
        cause: isService && isSystemRejection(reason) ? reason : null,
        isMine: approver.id === me,
      };
    }),
  };
}

async function mayRead(ctx: Context, view: DecisionEventView): Promise<boolean> {
  try {
    await requireSeat(ctx, view, 'read');
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INSUFFICIENT_ROLE') return false;
    throw error;
  }
}

const COULD_DECIDE = sql('could_decide', { groups: 'text[]', isNoted: 'boolean' })`
  SELECT ARRAY (SELECT group_id FROM escalation WHERE event_id = $eventId) AS groups,
    EXISTS (SELECT FROM decision_notice WHERE event_id = $eventId AND actor_id = $actorId) AS "isNoted"`;

/** Whether the caller was told of the decision by mail, or belongs to a group that it needed or was escalated to. */
async function couldDecide(ctx: Context, view: DecisionEventView): Promise<boolean> {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || memberOf(principal).membershipId === null) return false;
  const rights = await ownRights(ctx);
  if (!rights) return false;
  const [noted] = await COULD_DECIDE.rows(ownRows(ctx), { eventId: view.id, actorId: principal.actorId });
  if (noted!.isNoted) return true;
  const seats = (await seatsOf(ctx, [view])).get(view) ?? [];
  const needed = new Set([...noted!.groups, ...seats.map(({ group }) => group)]);
  const own = [...rights.groups, ...rights.delegations.flatMap(({ groups }) => groups)];
  return own.some((group) => needed.has(group));
}
