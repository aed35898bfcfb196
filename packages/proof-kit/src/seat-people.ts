/**
 * Whether those who filled seats of groups belonged to the groups, and whether those who stood in for others could. The service
 * evaluates this before it seals, its walk evaluates it again from the journal, and a verifier from the attached records.
 */
import type { Seating } from './decision.ts';

/** An approval as far as its people are known. */
export interface SeatedApproval extends Seating {
  approver: { id?: string | undefined };
  onBehalfOf?: string | null | undefined;
  approvedAt?: string | undefined;
}

/** The newest record of a group. */
export interface KnownGroup {
  /** The ids of the members that are disclosed. */
  members: readonly string[];
  /** Whether further members are not disclosed. */
  hasMore: boolean;
}

/** The newest record of a delegation. People who are not disclosed are undefined. */
export interface KnownDelegation {
  from?: string | undefined;
  to?: string | undefined;
  starts: string;
  until: string;
  ended?: string | undefined;
}

export interface SeatRecords {
  groups: ReadonlyMap<string, KnownGroup>;
  delegations: ReadonlyMap<string, KnownDelegation>;
}

type SeatRecord = 'group' | 'delegation';

interface SeatFault {
  /** The index of the approval. */
  place: number;
  record: SeatRecord;
  /** A clause about the approval: `was not given by or for a member of the group`. */
  words: string;
}

interface SeatFindings {
  fault: SeatFault | null;
  missing: Set<SeatRecord>;
  /** Paths of people who are not disclosed. */
  withheld: Set<string>;
}

/** The groups that the seats of an approval name, with that of its escalation. */
export function namedGroups({ seat, alsoSeats = [], escalation }: Seating): string[] {
  const groups = [seat, ...alsoSeats, escalation].map((each) => each?.group);
  return groups.filter((group) => group !== undefined);
}

/** An escalated approval is given by a member of the group to which the seats escalated. */
function decidingGroups(approval: Seating): string[] {
  return approval.escalation ? [approval.escalation.group] : namedGroups(approval);
}

/** Approvals in their order, of each the delegation before the groups. Ends with the first fault. */
export function findSeatPeople(
  approvals: readonly SeatedApproval[],
  { groups, delegations }: SeatRecords,
): SeatFindings {
  const findings: SeatFindings = { fault: null, missing: new Set(), withheld: new Set() };
  const { missing, withheld } = findings;
  for (const [place, approval] of approvals.entries()) {
    if (namedGroups(approval).some((group) => !groups.has(group))) missing.add('group');
    if (approval.delegation) {
      const delegation = delegations.get(approval.delegation.id);
      if (!delegation) missing.add('delegation');
      const words = delegation && delegationFault(delegation, approval);
      if (words) return { ...findings, fault: { place, record: 'delegation', words } };
      if (delegation && delegation.from === undefined) withheld.add('delegations.from');
      if (delegation && delegation.to === undefined) withheld.add('delegations.to');
    }
    const person = approval.delegation ? (approval.onBehalfOf ?? undefined) : approval.approver.id;
    for (const name of decidingGroups(approval)) {
      const group = groups.get(name);
      if (!group || (person !== undefined && group.members.includes(person))) continue;
      if (group.hasMore) withheld.add('groups.members');
      else if (person !== undefined || group.members.length === 0) {
        const words = 'was not given by or for a member of the group';
        return { ...findings, fault: { place, record: 'group', words } };
      }
    }
  }
  return findings;
}

function delegationFault(
  { from, to, starts, until, ended }: KnownDelegation,
  { approver, onBehalfOf, approvedAt }: SeatedApproval,
): string | null {
  const differs = (one: string | undefined, other: string | null | undefined) =>
    one !== undefined && other != null && one !== other;
  if (differs(from, onBehalfOf) || differs(to, approver.id)) return 'names a delegation of other people';
  if (approvedAt === undefined) return null;
  if (approvedAt < starts) return 'was given before its delegation began';
  if (approvedAt >= until || (ended !== undefined && approvedAt >= ended))
    return 'was given after its delegation had ended';
  return null;
}
