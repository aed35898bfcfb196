// Whether the approvers of seats with groups are members of them when the decision is sealed, by the records of the journal.
import { findSeatPeople, namedGroups } from '@countersign/proof-kit/seat-people';
import type { PoolClient } from '../../../db/database.ts';
import { type ApprovalRights, groupsOfQuorums } from '../../memberships/approval-rights.ts';
import { type CurrentSeatRecords, newestSeatRecords } from '../../memberships/seat-records.ts';
import { type PolicyEvaluation, seatViolation } from '../../policies/evaluate.ts';
import type { ApprovalContent } from '../content.ts';
import type { OpenDecision } from './evaluate-approval.ts';
import { quorumsFor } from './seat-approval.ts';

/**
 * The records of all groups and delegations that approvals of these decisions may name. Queried only if there is one: most
 * decisions have no seats of groups.
 */
export function seatRecordsFor(
  client: PoolClient,
  decisions: Iterable<OpenDecision>,
  rights: Iterable<ApprovalRights>,
): Promise<CurrentSeatRecords> {
  const subjects: string[] = [];
  for (const decision of decisions) {
    subjects.push(...groupsOfQuorums(quorumsFor(decision)));
    for (const { approval } of decision.approvals) subjects.push(...subjectsOf(approval));
  }
  for (const { delegations } of rights) subjects.push(...delegations.map(({ id }) => id));
  return newestSeatRecords(client, subjects);
}

const subjectsOf = (approval: ApprovalContent): string[] => [
  ...namedGroups(approval),
  ...(approval.delegation ? [approval.delegation.id] : []),
];

/**
 * Throws if an approval, be it an earlier one, fills a seat of a group without a member of it: every verifier would refute the
 * decision. Returns when the newest of the records was written, which the seal must not precede.
 */
export function requireSeatPeople(
  approvals: readonly ApprovalContent[],
  records: CurrentSeatRecords,
  evaluation: PolicyEvaluation,
): Date {
  const { fault, missing, withheld } = findSeatPeople(approvals, records);
  if (fault) {
    const { id, approver } = approvals[fault.place]!;
    const who = approver.name ?? approver.id;
    const why =
      fault.record === 'group'
        ? 'the journal does not name a member of the group who gave it or for whom it was given'
        : `it ${fault.words}`;
    const message = `The approval ${id} by ${who} no longer counts: ${why}. Reject the decision and record it again.`;
    throw seatViolation(evaluation, 'quorum_group', message);
  }
  if (missing.size > 0 || withheld.size > 0) {
    const message =
      'The journal does not say who belongs to the group of a seat. Save the members of the group again, reject the decision and record it again.';
    throw seatViolation(evaluation, 'quorum_group', message);
  }
  const times = approvals.flatMap(subjectsOf).map((id) => Date.parse(records.recordedAt.get(id)!));
  return new Date(Math.max(0, ...times));
}
