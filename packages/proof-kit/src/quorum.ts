/**
 * The guard `quorum`: which seats a decision requires, and which of them its approvals fill. The service counts with this code
 * before it seals, and a verifier counts again from the sealed content.
 */
import { normalId } from './approver-id.ts';
import type { ApprovedByKind, Seating, SeatReference } from './decision.ts';

export const AUTHENTICATIONS = ['ASSERTED', 'SESSION', 'SIGNED'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

const STRENGTH: Record<ApprovedByKind, number> = {
  api_key: 0,
  system: 0,
  mandate: 0,
  session: 1,
  passkey: 2,
};

export function isStrongEnough(byKind: ApprovedByKind, asked: Authentication): boolean {
  return STRENGTH[byKind] >= AUTHENTICATIONS.indexOf(asked);
}

/** The known facts of an approval. A withheld id is undefined: then two approvals cannot be told apart. */
export interface ApprovalFacts {
  approverId: string | undefined;
  approverType: string;
  result: string;
  byKind: ApprovedByKind;
  /** The age of the signing passkey; undefined if unknown. */
  passkeyAgeHours?: number | undefined;
  /** Needed only if an approval names the group to which it escalated. */
  approvedAt?: string | undefined;
  /** The seats that the approval names: `seat` and `alsoSeats`. */
  seats?: readonly SeatReference[] | undefined;
  /** The person whose delegate approved. */
  onBehalfOf?: string | undefined;
  /** The group whose members may fill a seat after the escalation time. */
  escalatedTo?: string | undefined;
}

export interface GivenApproval extends Seating {
  approver: { id?: string; type: string };
  result: string;
  by: { kind: ApprovedByKind };
  onBehalfOf?: string | null;
  approvedAt?: string;
  /** When the passkey was registered, if known. */
  passkeySince?: string;
}

const HOUR_MS = 3_600_000;

/** An approval as guards see it. */
export function approvalFacts(approval: GivenApproval): ApprovalFacts {
  const { approver, result, by, approvedAt, seat, alsoSeats = [], onBehalfOf, escalation } = approval;
  const { passkeySince } = approval;
  const age = passkeySince && approvedAt ? Date.parse(approvedAt) - Date.parse(passkeySince) : undefined;
  return {
    approverId: approver.id,
    approverType: approver.type,
    result,
    byKind: by.kind,
    ...(age !== undefined && { passkeyAgeHours: Math.floor(age / HOUR_MS) }),
    approvedAt,
    seats: seat ? [seat, ...alsoSeats] : alsoSeats,
    onBehalfOf: onBehalfOf ?? undefined,
    escalatedTo: escalation?.group,
  };
}

/** A passkey that was too new when it signed counts only as the session in which it was used. */
export function withoutRecentPasskeys(
  approvals: readonly ApprovalFacts[],
  ageHours: number,
): readonly ApprovalFacts[] {
  const isYoung = ({ byKind, passkeyAgeHours: age }: ApprovalFacts) =>
    byKind === 'passkey' && age !== undefined && age < ageHours;
  return approvals.some(isYoung)
    ? approvals.map((each) => (isYoung(each) ? { ...each, byKind: 'session' } : each))
    : approvals;
}

/** How many different people a seat can require. */
export const MAX_SEAT_COUNT = 10;

export interface Seat {
  /** Null: any human. */
  group: string | null;
  count: number;
  authentication: Authentication;
}

export interface Quorum {
  seats: readonly Seat[];
  /** A later seat cannot be filled while an earlier one is open. */
  ordered: boolean;
  escalation: { afterSeconds: number; group: string } | null;
}

/** The members of a policy's guards that define a quorum. */
export interface QuorumDemands {
  quorum?: readonly { group?: string | null; count: number; authentication?: Authentication | null }[] | null;
  quorumOrdered?: boolean | null;
  escalateAfterSeconds?: number | null;
  escalateToGroup?: string | null;
}

/** The quorum that a policy sets, with its defaults; null if it sets none. */
export function quorumOf(demands: QuorumDemands): Quorum | null {
  const { quorum, quorumOrdered, escalateAfterSeconds: afterSeconds, escalateToGroup: group } = demands;
  if (!quorum) return null;
  return {
    seats: quorum.map((seat) => ({
      group: seat.group ?? null,
      count: seat.count,
      authentication: seatAuthentication(seat.group ?? null, seat.authentication ?? null),
    })),
    ordered: quorumOrdered ?? false,
    escalation: afterSeconds != null && group != null ? { afterSeconds, group } : null,
  };
}

/** An API key cannot vouch for group membership, so a seat with a group requires at least a session. */
function seatAuthentication(group: string | null, asked: Authentication | null): Authentication {
  if (group === null) return asked ?? 'ASSERTED';
  return asked === 'SIGNED' ? 'SIGNED' : 'SESSION';
}

export interface SeatState extends Seat {
  /** Seat numbers continue across all quorums of a decision. */
  index: number;
  /** The index of its quorum in the list. */
  quorum: number;
  /** Indexes of the approvals that count for it. */
  filledBy: number[];
  isOpen: boolean;
  /** Open, with no earlier open seat in an ordered quorum. */
  isNext: boolean;
}

interface QuorumFacts {
  occurredAt?: string | undefined;
  approvals: readonly ApprovalFacts[];
}

/**
 * The seats of all quorums and the approvals that count for each. Approvals are processed in the order in which they were
 * given. An approval fills no seat if it is too weak, too early, from another group, or from a person already counted.
 */
export function countSeats(quorums: readonly Quorum[], facts: QuorumFacts): SeatState[] {
  let first = 0;
  return quorums.flatMap((quorum, place) => {
    const seats = countQuorum(quorum, place, first, facts);
    first += quorum.seats.length;
    return seats;
  });
}

function countQuorum(quorum: Quorum, place: number, first: number, facts: QuorumFacts): SeatState[] {
  const states = quorum.seats.map((seat, i) => ({
    ...seat,
    index: first + i,
    quorum: place,
    filledBy: [] as number[],
  }));
  const isOpen = ({ filledBy, count }: (typeof states)[number]) => filledBy.length < count;
  const people = new Set<string>();
  facts.approvals.forEach((approval, i) => {
    if (approval.result !== 'approved' || approval.approverType !== 'human') return;
    const named = (approval.seats ?? []).filter(
      ({ index }) => index >= first && index < first + states.length,
    );
    if (named.length !== 1) return;
    const at = named[0]!.index - first;
    const seat = states[at]!;
    if ((named[0]!.group ?? null) !== seat.group || !isStrongEnough(approval.byKind, seat.authentication))
      return;
    if (approval.escalatedTo !== undefined && !hasEscalated(quorum, approval, facts.occurredAt)) return;
    if (quorum.ordered && states.slice(0, at).some(isOpen)) return;
    const ids = [approval.approverId, approval.onBehalfOf].filter((id) => id !== undefined).map(normalId);
    if (ids.some((id) => people.has(id))) return;
    for (const id of ids) people.add(id);
    seat.filledBy.push(i);
  });
  return states.map((state, i) => {
    const open = isOpen(state);
    return { ...state, isOpen: open, isNext: open && !(quorum.ordered && states.slice(0, i).some(isOpen)) };
  });
}

function hasEscalated(
  { escalation }: Quorum,
  approval: ApprovalFacts,
  occurredAt: string | undefined,
): boolean {
  if (escalation?.group !== approval.escalatedTo) return false;
  const waited = Date.parse(approval.approvedAt ?? '') - Date.parse(occurredAt ?? '');
  return waited >= escalation!.afterSeconds * 1_000;
}

/** The text of quorum requirements in the detail of the guard. */
export function quorumText(quorums: readonly Quorum[]): string {
  return quorums
    .map(({ seats, ordered, escalation }) => {
      const asked = seats.map(
        ({ group, count, authentication }) => `${count} of ${group ?? 'any human'} (${authentication})`,
      );
      if (ordered) asked.push('in order');
      if (escalation)
        asked.push(`escalating to ${escalation.group} after ${escalation.afterSeconds} seconds`);
      return asked.join(', ');
    })
    .join('; and ');
}

const SEAT = String.raw`(?:[1-9]|10) of (?:any human|grp_\w{1,60}) \((?:ASSERTED|SESSION|SIGNED)\)`;
const QUORUM = new RegExp(
  String.raw`^(${SEAT}(?:, ${SEAT})*)(, in order)?(?:, escalating to (grp_\w{1,60}) after ([1-9]\d{0,9}) seconds)?$`,
);

/** The quorums in such a text; null if `quorumText` did not write it. */
export function parseQuorums(text: string): Quorum[] | null {
  const quorums = text.split('; and ').map((part) => {
    const [, seats, ordered, group, seconds] = QUORUM.exec(part) ?? [];
    if (seats === undefined) return null;
    return {
      seats: seats.split(', ').map(parseSeat),
      ordered: ordered !== undefined,
      escalation: group === undefined ? null : { afterSeconds: Number(seconds), group },
    };
  });
  return quorums.includes(null) ? null : (quorums as Quorum[]);
}

function parseSeat(text: string): Seat {
  const [, count, group, authentication] = /^(\d+) of (.+) \((\w+)\)$/.exec(text)!;
  return {
    group: group === 'any human' ? null : group!,
    count: Number(count),
    authentication: authentication as Authentication,
  };
}
