import { pages, sql } from '../../../db/sql.ts';
import type { CursorWindow } from '../../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import type { ApprovalRights, ApprovingMember } from '../../memberships/approval-rights.ts';
import type { SeatReason } from '../../policies/entitlements.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { contentOf } from '../read/approvals.ts';
import { findDecisionEvents } from '../read/list-events.ts';
import { type DecisionEventView, EVENT_SOURCE, HEAD_COLUMNS, HEAD_ROW, toView } from '../row.ts';
import { evaluateDecision } from './evaluate-approval.ts';
import { quorumsFor } from './seat-approval.ts';
import { ownRights, type RuledDecision, ruledDecisions, seatFor, seatPeople, withPeople } from './seats.ts';
import { isFinal } from './system-rejection.ts';

/** A decision that the caller can approve now, and why. */
export interface WaitingApproval {
  id: string;
  event: DecisionEventView;
  reason: SeatReason;
}

const BATCH = 100;
/** Limits the work per page. A caller who can approve few of many decisions gets a short page. */
const MOST_BATCHES = 20;

/** Open decisions that the caller can approve, newest first. */
export async function approvalsForMe(ctx: Context, window: CursorWindow): Promise<WaitingApproval[]> {
  const { principal } = ctx;
  if (principal.kind !== 'actor') return [];
  const rights = await ownRights(ctx);
  return rights ? approvalsFor(ctx, { actorId: principal.actorId, rights }, window) : [];
}

/** Counting more costs more, and a larger number tells an approver nothing new. */
export const MAX_WAITING_COUNTED = 100;

/** The number of decisions that the caller can approve now; counting stops at 100. */
export async function countApprovalsForMe(ctx: Context): Promise<number> {
  return (await approvalsForMe(ctx, { limit: MAX_WAITING_COUNTED })).length;
}

/** Those of the given decisions that the caller can approve at this moment. */
export async function approvableForMe(caller: Context, ids: readonly string[]): Promise<WaitingApproval[]> {
  const { principal } = caller;
  if (principal.kind !== 'actor') return [];
  // A subscription lasts longer than the moment of its context.
  const ctx = { ...caller, now: new Date() };
  const rights = await ownRights(ctx);
  if (!rights) return [];
  const approver = { actorId: principal.actorId, rights };
  return (await openDecisions(ctx, ids)).flatMap((decision) => {
    const reason = approvalReason(decision, approver, ctx.now);
    return reason ? { id: decision.view.id, event: decision.view, reason } : [];
  });
}

/** Whether decisions of the center may be waiting for the caller at all. */
export async function mayApproveAny(ctx: Context): Promise<boolean> {
  const rights = ctx.principal.kind === 'actor' ? await ownRights({ ...ctx, now: new Date() }) : null;
  return rights !== null && canApproveAny(ctx, rights);
}

const OPEN_OF_THESE = sql('open_decisions_of_these', { id: 'text' })`
  SELECT id FROM decision_event WHERE id = ANY ($ids) AND center_id = $centerId
    AND status IN ('recorded', 'approved') AND (source <> 'AGENT' OR awaits_approval)`;

/** Those of the given decisions that wait for people, with all that the choice of their seats depends on. */
export async function openDecisions(ctx: Context, ids: readonly string[]): Promise<RuledDecision[]> {
  const open = await OPEN_OF_THESE.rows(ownRows(ctx), { ids, centerId: currentCenterId(ctx) });
  const isOpen = new Set(open.map(({ id }) => id));
  const events = await findDecisionEvents(
    ctx,
    ids.filter((id) => isOpen.has(id)),
  );
  const decisions = await ruledDecisions(
    ctx,
    events.filter((event) => !isFinal(event)),
  );
  const hasChoice = (decision: RuledDecision) => quorumsFor(decision).some(({ seats }) => seats.length > 1);
  if (!decisions.some(hasChoice)) return decisions;
  const people = await seatPeople(ctx, decisions.filter(hasChoice));
  return decisions.map((decision) => ({ ...decision, people }));
}

/** The same for any member; used by notifications. */
export async function approvalsFor(
  ctx: Context,
  approver: ApprovingMember,
  asked: CursorWindow,
): Promise<WaitingApproval[]> {
  if (!(await canApproveAny(ctx, approver.rights))) return [];
  const { limit, inverted } = asked;
  const centerId = currentCenterId(ctx);
  const found: WaitingApproval[] = [];
  let window = asked;
  for (let batch = 0; batch < MOST_BATCHES && found.length < limit; batch++) {
    const rows = await readOpen(ownRows(ctx), window, { centerId });
    const decisions = await ruledDecisions(ctx, rows.map(toView));
    for (const decision of await withPeople(ctx, decisions, approver)) {
      const reason = approvalReason(decision, approver, ctx.now);
      if (reason) found.push({ id: decision.view.id, event: decision.view, reason });
    }
    const last = rows.at(-1);
    if (rows.length < BATCH || !last) break;
    window = inverted ? { ...window, before: last.id } : { ...window, after: last.id };
  }
  return found.slice(0, limit);
}

/** Members without a group or a delegation can be skipped without reading the open decisions. */
async function canApproveAny(
  ctx: Context,
  { isAdmin, groups, delegations }: ApprovalRights,
): Promise<boolean> {
  if (isAdmin) return true;
  const own = new Set([...groups, ...delegations.flatMap((delegation) => delegation.groups)]);
  if (own.size === 0) return false;
  const policies = await policiesInForce(ctx.reads, currentCenterId(ctx));
  return policies.some(({ guards }) =>
    [...(guards.quorum ?? []).map(({ group }) => group), guards.escalateToGroup].some(
      (group) => group != null && own.has(group),
    ),
  );
}

/** Why a member can approve the decision now; null if they cannot. */
export function approvalReason(
  decision: RuledDecision,
  { actorId, rights }: ApprovingMember,
  now: Date,
): SeatReason | null {
  const { view, event, center, rows } = decision;
  if (view.expiresAt !== null && view.expiresAt <= now) return null;
  if (rows.some((row) => contentOf(row).approver.id === actorId)) return null;
  const approval = {
    id: 'apr',
    approver: { id: actorId, type: 'human' as const },
    result: 'approved' as const,
    by: { kind: 'passkey' as const, id: actorId },
    approvedAt: now.toISOString(),
  };
  const earlier = decision.approvals.map((each) => each.approval);
  const { selfApproval, policy } = evaluateDecision(center.policies, event, [...earlier, approval]);
  if (selfApproval) return null;
  const isPending = policy.guards.some(({ guard, verdict }) => guard === 'quorum' && verdict === 'pending');
  if (quorumsFor(decision).length === 0 || !isPending) return rights.isAdmin ? 'ANYONE' : null;
  const taken = seatFor(decision, { actorId, rights }, now);
  if ('seated' in taken) return taken.reason;
  // The second approver required by dual approval need not fill a seat.
  const { guards } = evaluateDecision(center.policies, event, earlier).policy;
  const isSecond = guards.some(({ guard, verdict }) => guard === 'dual_approval' && verdict === 'pending');
  return rights.isAdmin && isSecond ? 'ANYONE' : null;
}

/** A decision that the service seals by itself does not wait for anyone. */
const openSql = (order: 'ASC' | 'DESC') => {
  const ids = (status: string) =>
    `(SELECT e.id FROM decision_event e WHERE e.center_id = $centerId AND e.status = '${status}'
      AND (e.source <> 'AGENT' OR e.awaits_approval)
      AND ($after::text IS NULL OR e.id < $after) AND ($before::text IS NULL OR e.id > $before)
      ORDER BY e.id ${order} LIMIT ${BATCH})`;
  return `
    SELECT ${HEAD_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.center_id = $centerId AND e.id = ANY (ARRAY (
      SELECT id FROM (${ids('recorded')} UNION ALL ${ids('approved')}) waiting ORDER BY id ${order} LIMIT ${BATCH}))
    ORDER BY e.id ${order}`;
};
/** Without a name: planned for each call, the bounds that are null disappear and the others use the index. */
const readOpen = pages(null, HEAD_ROW, openSql);
