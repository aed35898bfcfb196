import { canonicalJson } from '@countersign/proof-kit/canonical';
import { effectivePolicy, type Policy } from '@countersign/proof-kit/effective-policy';
import type { GuardFinding } from '@countersign/proof-kit/guards';
import { approvalFacts, countSeats, type Quorum, withoutRecentPasskeys } from '@countersign/proof-kit/quorum';
import { DomainError } from '../../../lib/errors.ts';
import type { ApprovalRights } from '../../memberships/approval-rights.ts';
import { seatViolation, selfApprovalViolation } from '../../policies/evaluate.ts';
import { areSeatsValid, type Seated, takeSeats } from '../../policies/seating.ts';
import type { ApprovalContent } from '../content.ts';
import type { EventHead } from '../row.ts';
import { evaluateDecision } from './evaluate-approval.ts';

/** The parts of a decision that the rules for seats need. */
interface Ruled {
  event: EventHead;
  center: { policies: readonly Policy[] };
  approvals: readonly { approval: ApprovalContent }[];
}

export function quorumsFor({ event, center }: Pick<Ruled, 'event' | 'center'>): Quorum[] {
  return effectivePolicy(center.policies, { actionType: event.action.type }).quorums.map(
    ({ value }) => value,
  );
}

interface SeatRequest {
  rights: ApprovalRights | null;
  isAdmin: boolean;
  /** What a passkey signed about the seats. */
  prepared?: { seated: Seated };
}

/** The seats that an approval fills; empty if none are required. Throws if the approver may not approve. */
export function seatApproval(
  decision: Ruled,
  approval: ApprovalContent,
  request: SeatRequest,
  at: Date,
): Seated {
  if (approval.result === 'rejected') return {};
  const seated = chooseSeats(decision, approval, request, at);
  if (!seated.seat && !request.isAdmin) {
    throw new DomainError('INSUFFICIENT_ROLE', 'No seat of this decision is open for you.');
  }
  if (request.prepared && canonicalJson(request.prepared.seated) !== canonicalJson(seated)) {
    throw new DomainError(
      'CONFLICT',
      'The open seats changed after you prepared the approval; prepare it again.',
    );
  }
  return seated;
}

function chooseSeats(decision: Ruled, approval: ApprovalContent, { rights }: SeatRequest, at: Date): Seated {
  const { event, center } = decision;
  const earlier = decision.approvals.map((each) => each.approval);
  const { guards } = effectivePolicy(center.policies, { actionType: event.action.type });
  const ageHours = guards.passkeyAgeHours?.value ?? 0;
  const approvals = withoutRecentPasskeys(earlier.map(approvalFacts), ageHours);
  const facts = { quorums: quorumsFor(decision), occurredAt: event.occurredAt, approvals };
  const seats = countSeats(facts.quorums, facts);
  const evaluated = () => evaluateDecision(center.policies, event, earlier);
  if (!areSeatsValid(seats, approvals)) {
    const message = 'The policy changed after the first approval; reject the decision and record it again.';
    throw seatViolation(evaluated(), 'quorum', message);
  }
  if (!seats.some(({ isOpen }) => isOpen)) return {};
  const { approver, by } = approval;
  const [{ byKind } = approvalFacts(approval)] = withoutRecentPasskeys([approvalFacts(approval)], ageHours);
  const candidate = { approverId: approver.id, approverType: approver.type, byKind, rights };
  const taken = takeSeats(facts, candidate, at, seats);
  if ('seated' in taken) return taken.seated;
  const evaluation = evaluateDecision(center.policies, event, [...earlier, approval]);
  if (evaluation.selfApproval) throw selfApprovalViolation(evaluation);
  // The second approver required by dual approval need not fill a seat.
  const isPending = ({ guard, verdict }: GuardFinding) => guard === 'dual_approval' && verdict === 'pending';
  if (evaluated().policy.guards.some(isPending)) return {};
  throw seatViolation(evaluation, by.kind === 'system' ? 'quorum' : taken.refused);
}
