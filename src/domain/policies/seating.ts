// Which seats of a decision's quorums an approval fills, and why its approver may fill them.
import { normalId } from '@countersign/proof-kit/approver-id';
import type { ApprovedByKind, Seating, SeatReference } from '@countersign/proof-kit/decision';
import {
  type ApprovalFacts,
  countSeats,
  isStrongEnough,
  type Quorum,
  type SeatState,
} from '@countersign/proof-kit/quorum';
import type { ApprovalRights } from '../memberships/approval-rights.ts';

/** Why an approver can fill a seat: the first reason that applies. */
export type SeatReason = 'GROUP' | 'ANYONE' | 'DELEGATION' | 'ESCALATION';
const REASONS: readonly SeatReason[] = ['GROUP', 'ANYONE', 'DELEGATION', 'ESCALATION'];

/** The seats as named in an approval. */
export interface Seated extends Seating {
  onBehalfOf?: string;
}

interface Candidate {
  approverId: string;
  approverType: string;
  byKind: ApprovedByKind;
  /** Null if the approver is not a member. An API key can attest any human, but not membership in a group. */
  rights: ApprovalRights | null;
}

interface QuorumDecision {
  quorums: readonly Quorum[];
  occurredAt: string;
  approvals: readonly ApprovalFacts[];
}

type SeatRefusal = 'quorum_group' | 'quorum_order' | 'approver_authentication' | 'quorum';

/** `isEligible`: a seat is open to the approver, but not at this time or with this authentication. */
export type SeatResult =
  | { seated: Seated; reason: SeatReason }
  | { refused: SeatRefusal; isEligible: boolean };

/** Why an approver may fill a seat. */
interface Entitlement {
  reason: SeatReason;
  delegation?: { id: string; delegatorId: string };
  /** The group that the quorum escalates to. */
  escalation?: string;
}

interface Option extends Entitlement {
  seat: SeatState;
}

/**
 * The seats that an approval fills, at most one per quorum. Prefers a seat of the approver's own group to one open to any
 * human, which more people can fill; then seats of a delegator's groups, then escalated ones.
 */
export function takeSeats(
  decision: QuorumDecision,
  candidate: Candidate,
  at: Date,
  states: readonly SeatState[] = countSeats(decision.quorums, decision),
): SeatResult {
  const open = states.filter(({ isOpen }) => isOpen);
  const possible = open.flatMap((seat) =>
    entitlementsTo(seat, decision, candidate, at).map((entitlement): Option => ({ ...entitlement, seat })),
  );
  if (possible.length === 0) {
    return {
      refused: open.some(({ group }) => group !== null) ? 'quorum_group' : 'quorum',
      isEligible: false,
    };
  }
  const next = possible.filter(({ seat }) => seat.isNext);
  if (next.length === 0) return { refused: 'quorum_order', isEligible: true };
  const strong = next.filter(({ seat }) => isStrongEnough(candidate.byKind, seat.authentication));
  if (strong.length === 0) return { refused: 'approver_authentication', isEligible: true };
  const free = strong
    .filter((option) => isNewcomer(option, option, states, decision, candidate))
    .sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) || a.seat.index - b.seat.index);
  const [first] = free;
  if (!first) return { refused: 'quorum', isEligible: true };
  const others = free.filter(
    (option) => isCompatible(first, option) && isNewcomer(option, first, states, decision, candidate),
  );
  return { seated: seatedIn(first, others), reason: first.reason };
}

function entitlementsTo(
  seat: SeatState,
  { quorums, occurredAt }: QuorumDecision,
  candidate: Candidate,
  at: Date,
): Entitlement[] {
  const { rights, approverType, byKind } = candidate;
  if (approverType !== 'human') return [];
  if (rights === null) return byKind === 'api_key' && seat.group === null ? [{ reason: 'ANYONE' }] : [];
  const entitlements: Entitlement[] = [];
  const { group } = seat;
  if (group === null ? rights.isAdmin : rights.groups.includes(group)) {
    entitlements.push({ reason: group === null ? 'ANYONE' : 'GROUP' });
  }
  const delegation = rights.delegations.find(({ groups }) => group !== null && groups.includes(group));
  if (delegation) entitlements.push({ reason: 'DELEGATION', delegation });
  const { escalation } = quorums[seat.quorum]!;
  if (escalation && rights.groups.includes(escalation.group) && isDue(escalation, occurredAt, at)) {
    entitlements.push({ reason: 'ESCALATION', escalation: escalation.group });
  }
  return entitlements;
}

export function isDue({ afterSeconds }: { afterSeconds: number }, occurredAt: string, at: Date): boolean {
  return at.getTime() >= Date.parse(occurredAt) + afterSeconds * 1_000;
}

/** Whether neither the approver nor the delegator already fills a seat of this quorum. */
function isNewcomer(
  { seat }: Option,
  { delegation }: Entitlement,
  states: readonly SeatState[],
  { approvals }: QuorumDecision,
  { approverId }: Candidate,
): boolean {
  const counted = states
    .filter(({ quorum }) => quorum === seat.quorum)
    .flatMap(({ filledBy }) => filledBy.map((i) => approvals[i]!));
  const people = new Set(counted.flatMap((each) => [each.approverId, each.onBehalfOf]).map(idOrNothing));
  return ![approverId, delegation?.delegatorId].some((id) => id !== undefined && people.has(normalId(id)));
}

const idOrNothing = (id: string | undefined) => (id === undefined ? undefined : normalId(id));

/** One approval names one delegation and one escalation, which apply to all of its seats. */
function isCompatible(first: Option, option: Option): boolean {
  return (
    option.seat.quorum !== first.seat.quorum &&
    option.escalation === first.escalation &&
    (option.delegation === undefined || option.delegation.id === first.delegation?.id)
  );
}

function seatedIn({ seat, delegation, escalation }: Option, others: readonly Option[]): Seated {
  const quorums = new Set<number>();
  const seats = [seat, ...others.map((option) => option.seat)]
    .filter(({ quorum }) => !quorums.has(quorum) && quorums.add(quorum))
    .sort((a, b) => a.index - b.index)
    .map(({ index, group }): SeatReference => (group === null ? { index } : { index, group }));
  const [first, ...also] = seats;
  return {
    seat: first!,
    ...(also.length > 0 && { alsoSeats: also }),
    ...(delegation && { delegation: { id: delegation.id }, onBehalfOf: delegation.delegatorId }),
    ...(escalation !== undefined && { escalation: { group: escalation } }),
  };
}

/** Whether approvals fill every seat that they name. False if the policy changed in the meantime. */
export function areSeatsValid(states: readonly SeatState[], approvals: readonly ApprovalFacts[]): boolean {
  return approvals.every(
    ({ seats = [] }, i) => states.filter(({ filledBy }) => filledBy.includes(i)).length === seats.length,
  );
}
