import { isSamePerson } from '@countersign/proof-kit/approver-id';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { effectivePolicy, type Policy } from '@countersign/proof-kit/effective-policy';
import type { GuardFinding } from '@countersign/proof-kit/guards';
import { approvalFacts, countSeats, type Quorum, withoutRecentPasskeys } from '@countersign/proof-kit/quorum';
import { DomainError } from '../../../lib/errors.ts';
import type { ApprovalRights, SeatPerson } from '../../memberships/approval-rights.ts';
import type { Candidate, QuorumDecision } from '../../policies/entitlements.ts';
import { seatViolation, selfApprovalViolation } from '../../policies/evaluate.ts';
import { areSeatsValid, hasChoice, type Seated, takeSeats } from '../../policies/seating.ts';
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

/** Why an approver who fits an open seat has to keep for another one. */
const RESERVED: Partial<Record<string, string>> = {
  quorum_order:
    'A later seat needs you, because no other member can fill it. Another person has to fill the earlier one.',
  approver_authentication:
    'Another open seat needs you, because no other member can fill it. It requires your passkey.',
  quorum: 'Your approval would leave a seat that no member can fill. Another person has to approve first.',
};

interface SeatRequest {
  rights: ApprovalRights | null;
  isAdmin: boolean;
  /** The other members who could approve. Needed only if `choosesSeat`. */
  people?: readonly SeatPerson[] | undefined;
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

interface SeatFacts {
  facts: QuorumDecision;
  candidate: Candidate;
}

/** What seats are chosen from. A passkey that is too new counts only as the session in which it was used. */
function seatFacts(
  decision: Ruled,
  approval: ApprovalContent,
  { rights, people }: Pick<SeatRequest, 'rights' | 'people'>,
): SeatFacts {
  const { event, center } = decision;
  const { guards } = effectivePolicy(center.policies, { actionType: event.action.type });
  const ageHours = guards.passkeyAgeHours?.value ?? 0;
  const earlier = decision.approvals.map((each) => approvalFacts(each.approval));
  const approvals = withoutRecentPasskeys(earlier, ageHours);
  const { approver } = approval;
  const [{ byKind } = approvalFacts(approval)] = withoutRecentPasskeys([approvalFacts(approval)], ageHours);
  return {
    facts: {
      quorums: quorumsFor(decision),
      occurredAt: event.occurredAt,
      approvals,
      people: people?.filter(({ actorId }) => !isSamePerson(actorId, event.actor.id)),
    },
    candidate: { approverId: approver.id, approverType: approver.type, byKind, rights },
  };
}

/** Whether the seat of an approval depends on the other members, who then have to be read. */
export function choosesSeat(
  decision: Ruled,
  approval: ApprovalContent,
  rights: ApprovalRights | null,
  at: Date,
): boolean {
  if (quorumsFor(decision).every(({ seats }) => seats.length === 1)) return false;
  const { facts, candidate } = seatFacts(decision, approval, { rights });
  return hasChoice(facts, candidate, at);
}

function chooseSeats(decision: Ruled, approval: ApprovalContent, request: SeatRequest, at: Date): Seated {
  const { event, center } = decision;
  const earlier = decision.approvals.map((each) => each.approval);
  const { facts, candidate } = seatFacts(decision, approval, request);
  const seats = countSeats(facts.quorums, facts);
  const evaluated = () => evaluateDecision(center.policies, event, earlier);
  if (!areSeatsValid(seats, facts.approvals)) {
    const message = 'The policy changed after the first approval; reject the decision and record it again.';
    throw seatViolation(evaluated(), 'quorum', message);
  }
  if (!seats.some(({ isOpen }) => isOpen)) return {};
  const taken = takeSeats(facts, candidate, at, seats);
  if ('seated' in taken) return taken.seated;
  const evaluation = evaluateDecision(center.policies, event, [...earlier, approval]);
  if (evaluation.selfApproval) throw selfApprovalViolation(evaluation);
  // The second approver required by dual approval need not fill a seat.
  const isPending = ({ guard, verdict }: GuardFinding) => guard === 'dual_approval' && verdict === 'pending';
  if (evaluated().policy.guards.some(isPending)) return {};
  const refused = approval.by.kind === 'system' ? 'quorum' : taken.refused;
  throw seatViolation(evaluation, refused, taken.isReserved ? RESERVED[taken.refused] : undefined);
}
