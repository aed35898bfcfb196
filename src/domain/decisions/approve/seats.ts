// The seats of decisions: who filled them, which are open, and which the caller can fill.

import { isSamePerson } from '@countersign/proof-kit/approver-id';
import type { Policy } from '@countersign/proof-kit/effective-policy';
import { countSeats, parseQuorums, type Quorum, type SeatState } from '@countersign/proof-kit/quorum';
import type { Approval } from '../../../db/generated/prisma/client.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import {
  type ApprovalRights,
  approvalRightsOf,
  type SeatPerson,
  seatPeopleOf,
} from '../../memberships/approval-rights.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { hasChoice, type Seated, type SeatResult, takeSeats } from '../../policies/seating.ts';
import type { ApprovalContent } from '../content.ts';
import { approvalsOf, contentOf, factsOfRow } from '../read/approvals.ts';
import { sealedRulesOf } from '../read/sealed-rules.ts';
import type { DecisionEventView, EventHead } from '../row.ts';
import { memberOf } from './admission.ts';
import { choosesSeat, quorumsFor, seatApproval } from './seat-approval.ts';

/** A decision with its policies and its approvals so far. */
export interface RuledDecision {
  view: DecisionEventView;
  event: EventHead;
  center: { policies: Policy[] };
  rows: Approval[];
  approvals: { approval: ApprovalContent }[];
  /** The members who could approve; see `withPeople`. */
  people?: readonly SeatPerson[];
}

export async function ruledDecisions(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<RuledDecision[]> {
  if (events.length === 0) return [];
  const policies = await policiesInForce(ctx.reads, currentCenterId(ctx));
  const approvals = await approvalsOf(
    ctx,
    events.map(({ id }) => id),
  );
  return events.map((view) => {
    const rows = approvals.get(view.id) ?? [];
    return {
      view,
      event: view.head,
      center: { policies },
      rows,
      approvals: rows.map((row) => ({ approval: contentOf(row) })),
    };
  });
}

export interface SeatView extends Pick<SeatState, 'index' | 'group' | 'count' | 'authentication'> {
  filledBy: Approval[];
  open: boolean;
}

/** The seats of each decision: for a sealed one as sealed, for any other by the policies in force. */
export async function seatsOf(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, SeatView[]>> {
  const sealed = await sealedQuorums(
    ctx,
    events.filter(({ status }) => status === 'sealed').map(({ id }) => id),
  );
  const decisions = await ruledDecisions(ctx, events);
  return new Map(
    decisions.map((decision) => {
      const { view, event, rows } = decision;
      const quorums = sealed.get(view.id) ?? quorumsFor(decision);
      const facts = { occurredAt: event.occurredAt, approvals: rows.map(factsOfRow) };
      const isOver = view.status === 'sealed' || view.status === 'rejected';
      const seats = countSeats(quorums, facts).map(
        ({ index, group, count, authentication, filledBy, isOpen }) => ({
          index,
          group,
          count,
          authentication,
          filledBy: filledBy.map((i) => rows[i]!),
          open: isOpen && !isOver,
        }),
      );
      return [view, seats];
    }),
  );
}

/** The quorums named by each decision's sealed guard. */
async function sealedQuorums(ctx: Context, eventIds: readonly string[]): Promise<Map<string, Quorum[]>> {
  const sealed = await sealedRulesOf(ctx, eventIds);
  return new Map(
    [...sealed].map(([id, { guards }]) => {
      const detail = guards.find(({ guard }) => guard === 'quorum')?.detail ?? '';
      return [id, parseQuorums(detail.replace(/: (?:filled|under a mandate)$/, '')) ?? []];
    }),
  );
}

/** The caller's groups and delegations; null if the caller is not a member. */
export async function ownRights(ctx: Context): Promise<ApprovalRights | null> {
  const { membershipId } = memberOf(ctx.principal);
  if (membershipId === null) return null;
  const rightsById = await approvalRightsOf(ownRows(ctx), [membershipId], ctx.now);
  return rightsById.get(membershipId) ?? null;
}

/** A member who may fill seats. */
export interface Approver {
  actorId: string;
  rights: ApprovalRights | null;
}

/** Which seats of a decision a person with a passkey could fill, or why none. */
export function seatFor(decision: RuledDecision, approver: Approver, now: Date): SeatResult {
  return takeSeats(factsOf(decision), candidateOf(approver), now);
}

const factsOf = (decision: RuledDecision) => ({
  quorums: quorumsFor(decision),
  occurredAt: decision.event.occurredAt,
  approvals: decision.rows.map(factsOfRow),
  people: decision.people?.filter(({ actorId }) => !isSamePerson(actorId, decision.event.actor.id)),
});

const candidateOf = ({ actorId, rights }: Approver) =>
  ({ approverId: actorId, approverType: 'human', byKind: 'passkey', rights }) as const;

/** Adds the other members to decisions of which the approver could fill several seats: their choice depends on them. */
export async function withPeople(
  ctx: Context,
  decisions: readonly RuledDecision[],
  approver: Approver,
): Promise<RuledDecision[]> {
  const chooses = (decision: RuledDecision) =>
    quorumsFor(decision).some(({ seats }) => seats.length > 1) &&
    hasChoice(factsOf(decision), candidateOf(approver), ctx.now);
  const choosing = decisions.filter(chooses);
  if (choosing.length === 0) return [...decisions];
  const people = await seatPeople(ctx, choosing);
  return decisions.map((decision) => ({ ...decision, people }));
}

/** The members who can fill any of the seats of these decisions. */
export async function seatPeople(ctx: Context, decisions: readonly RuledDecision[]): Promise<SeatPerson[]> {
  const centerId = currentCenterId(ctx);
  const people = await seatPeopleOf(ownRows(ctx), [centerId], decisions.flatMap(quorumsFor));
  return people.get(centerId) ?? [];
}

/**
 * Throws unless the caller is an ADMIN or a seat of the decision is open to them. With `read`, also allows members who have
 * approved it.
 */
export async function requireSeat(
  ctx: Context,
  view: DecisionEventView,
  purpose: 'approve' | 'read',
): Promise<void> {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || memberOf(principal).isAdmin) return;
  const [decision] = await ruledDecisions(ctx, [view]);
  const { actorId } = principal;
  if (purpose === 'read' && decision!.rows.some((row) => contentOf(row).by.id === actorId)) return;
  const isOpen = view.status === 'recorded' || view.status === 'approved';
  const taken = seatFor(decision!, { actorId, rights: await ownRights(ctx) }, ctx.now);
  if (isOpen && ('seated' in taken || taken.isEligible)) return;
  throw new DomainError(
    'INSUFFICIENT_ROLE',
    'Only ADMINs and members of a group with an open seat may do this.',
  );
}

/** The seats named in a prepared approval, for its approver to sign. */
export async function prepareSeats(
  ctx: Context,
  view: DecisionEventView,
  approval: Omit<ApprovalContent, 'approvedAt'>,
): Promise<Seated> {
  if (approval.result === 'rejected') return {};
  const [decision] = await ruledDecisions(ctx, [view]);
  const { isAdmin } = memberOf(ctx.principal);
  const rights = quorumsFor(decision!).length > 0 ? await ownRights(ctx) : null;
  const now = { ...approval, approvedAt: ctx.now.toISOString() };
  const people = choosesSeat(decision!, now, rights, ctx.now)
    ? await seatPeople(ctx, [decision!])
    : undefined;
  return seatApproval(decision!, now, { rights, isAdmin, people }, ctx.now);
}
