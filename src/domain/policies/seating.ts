// Which seats of a decision's quorums an approval fills, and why its approver may fill them.
import { normalId } from '@countersign/proof-kit/approver-id';
import type { Seating, SeatReference } from '@countersign/proof-kit/decision';
import {
  type ApprovalFacts,
  countSeats,
  isStrongEnough,
  type SeatState,
} from '@countersign/proof-kit/quorum';
import {
  type Candidate,
  type Entitlement,
  entitlementsTo,
  entitlesTo,
  hasEscalatedTo,
  type QuorumDecision,
  type SeatReason,
} from './entitlements.ts';
import { seatWeights } from './seat-matching.ts';

const REASONS: readonly SeatReason[] = ['GROUP', 'ANYONE', 'DELEGATION', 'ESCALATION'];

/** The seats as named in an approval. */
export interface Seated extends Seating {
  onBehalfOf?: string;
}

type SeatRefusal = 'quorum_group' | 'quorum_order' | 'approver_authentication' | 'quorum';

/**
 * `isEligible`: a seat is open to the approver, but not at this time or with this authentication. `isReserved`: the approver is
 * the only one left for another seat.
 */
export type SeatResult =
  | { seated: Seated; reason: SeatReason }
  | { refused: SeatRefusal; isEligible: boolean; isReserved?: true };

interface Option extends Entitlement {
  seat: SeatState;
}

/**
 * The seats that an approval fills, at most one per quorum, chosen so that the others can still be filled. Of equal ones it
 * prefers a seat of the approver's own group to one open to any human, which more people can fill; then seats of a delegator's
 * groups, then escalated ones.
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
  const isFree = (option: Option) => isNewcomer(option, option, states, decision, candidate);
  if (!strong.some(isFree)) return { refused: 'quorum', isEligible: true };
  const weigh = weigherOf(decision, candidate, at, states);
  const harmless = possible.filter((option) => isFree(option) && !weigh(option).blocks);
  const free = strong
    .filter((option) => harmless.includes(option))
    .sort(
      (a, b) =>
        weigh(a).loss - weigh(b).loss ||
        REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason) ||
        a.seat.index - b.seat.index,
    );
  const [first] = free;
  if (!first) return { refused: reservedFor(harmless), isEligible: true, isReserved: true };
  const others = free.filter(
    (option) => isCompatible(first, option) && isNewcomer(option, first, states, decision, candidate),
  );
  return { seated: seatedIn(first, others), reason: first.reason };
}

/** Why no harmless option is among those that the approver can take now. */
function reservedFor(harmless: readonly Option[]): SeatRefusal {
  if (harmless.some(({ seat }) => seat.isNext)) return 'approver_authentication';
  return harmless.length > 0 ? 'quorum_order' : 'quorum';
}

/**
 * Whether the candidate could fill more than one open seat of a quorum. Only then the choice depends on the other members, who
 * have to be read.
 */
export function hasChoice(
  decision: QuorumDecision,
  candidate: Candidate,
  at: Date,
  states: readonly SeatState[] = countSeats(decision.quorums, decision),
): boolean {
  const possible = states.filter(
    (seat) => seat.isOpen && entitlementsTo(seat, decision, candidate, at).length > 0,
  );
  return new Set(possible.map(({ quorum }) => quorum)).size < possible.length;
}

/** What each option costs the rest of its quorum. Nothing, if the other members are not known. */
function weigherOf(
  decision: QuorumDecision,
  candidate: Candidate,
  at: Date,
  states: readonly SeatState[],
): (option: Option) => { loss: number; blocks: boolean } {
  const { people, approvals, quorums } = decision;
  if (!people) return () => ({ loss: 0, blocks: false });
  const approved = approvals.flatMap(({ approverId, result }) => (result === 'approved' ? [approverId] : []));
  const weights = quorums.map((_, place) => {
    const seats = states.filter(({ quorum }) => quorum === place);
    const counted = seats.flatMap(({ filledBy }) => filledBy.map((i) => approvals[i]!.onBehalfOf));
    const gone = new Set([...approved, ...counted].map(idOrNothing));
    return seatWeights({
      seats: seats.filter(({ isOpen }) => isOpen),
      people: people.filter(({ actorId }) => !gone.has(normalId(actorId))),
      fits: ({ isAdmin, groups }, seat) =>
        entitlesTo(seat, { isAdmin, groups }, decision) || hasEscalatedTo(groups, seat, decision, at),
    });
  });
  return ({ seat, delegation }) =>
    weights[seat.quorum]!(seat, [candidate.approverId, ...(delegation ? [delegation.delegatorId] : [])]);
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
