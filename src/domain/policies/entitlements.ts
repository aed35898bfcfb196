// Why an approver may fill a seat of a quorum.
import type { ApprovedByKind } from '@countersign/proof-kit/decision';
import type { ApprovalFacts, Quorum, SeatState } from '@countersign/proof-kit/quorum';
import type { ApprovalRights, SeatPerson } from '../memberships/approval-rights.ts';

/** Why an approver can fill a seat: the first reason that applies. */
export type SeatReason = 'GROUP' | 'ANYONE' | 'DELEGATION' | 'ESCALATION';

export interface Candidate {
  approverId: string;
  approverType: string;
  byKind: ApprovedByKind;
  /** Null if the approver is not a member. An API key can attest any human, but not membership in a group. */
  rights: ApprovalRights | null;
}

/** A decision as far as its seats depend on it. */
export interface QuorumDecision {
  quorums: readonly Quorum[];
  occurredAt: string;
  approvals: readonly ApprovalFacts[];
  /** Other members who could approve. Needed only if `hasChoice`. */
  people?: readonly SeatPerson[] | undefined;
}

/** Why an approver may fill a seat. */
export interface Entitlement {
  reason: SeatReason;
  delegation?: { id: string; delegatorId: string };
  /** The group that the quorum escalates to. */
  escalation?: string;
}

export function entitlementsTo(
  seat: SeatState,
  decision: QuorumDecision,
  candidate: Candidate,
  at: Date,
): Entitlement[] {
  const { rights, approverType, byKind } = candidate;
  if (approverType !== 'human') return [];
  if (rights === null) return byKind === 'api_key' && seat.group === null ? [{ reason: 'ANYONE' }] : [];
  const entitlements: Entitlement[] = [];
  if (entitlesTo(seat, rights, decision)) {
    entitlements.push({ reason: seat.group === null ? 'ANYONE' : 'GROUP' });
  }
  for (const delegation of rights.delegations) {
    const { groups } = delegation;
    if (entitlesTo(seat, { isAdmin: false, groups }, decision)) {
      entitlements.push({ reason: 'DELEGATION', delegation });
    }
  }
  if (hasEscalatedTo(rights.groups, seat, decision, at)) {
    entitlements.push({ reason: 'ESCALATION', escalation: decision.quorums[seat.quorum]!.escalation!.group });
  }
  return entitlements;
}

/** A seat for any human is open to those who may approve: ADMINs, and members of the groups that the same quorum names. */
export function entitlesTo(
  { group, quorum }: SeatState,
  { isAdmin, groups }: { isAdmin: boolean; groups: readonly string[] },
  { quorums }: QuorumDecision,
): boolean {
  if (group !== null) return groups.includes(group);
  return isAdmin || quorums[quorum]!.seats.some((seat) => seat.group !== null && groups.includes(seat.group));
}

export function hasEscalatedTo(
  groups: readonly string[],
  { quorum }: SeatState,
  { quorums, occurredAt }: QuorumDecision,
  at: Date,
): boolean {
  const { escalation } = quorums[quorum]!;
  return escalation !== null && groups.includes(escalation.group) && isDue(escalation, occurredAt, at);
}

export function isDue({ afterSeconds }: { afterSeconds: number }, occurredAt: string, at: Date): boolean {
  return at.getTime() >= Date.parse(occurredAt) + afterSeconds * 1_000;
}
