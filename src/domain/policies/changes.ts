// The differences between two versions of a policy, as sentences for people.
import type { PolicyGuards } from '@countersign/proof-kit/effective-policy';
import { policySeats, policySentences } from '@countersign/proof-kit/policy-sentences';
import type { GroupName } from '@countersign/proof-kit/seat-sentences';
import type { PolicyVersion } from '../../db/generated/prisma/client.ts';

type Version = Pick<PolicyVersion, 'name' | 'actionPattern' | 'active' | 'guards'>;

/** What a version changes, one sentence for each difference. Of the first version, what it asks for. */
export function policyChanges(before: Version | null, after: Version, groupName: GroupName): string[] {
  const was = before && guardsOf(before);
  const now = guardsOf(after);
  return [
    ...(before ? headChanges(before, after) : [`Created. Covers ${after.actionPattern}.`]),
    ...seatChanges(was ? policySeats(was, groupName) : [], policySeats(now, groupName)),
    ...sentenceChanges(was ? policySentences(was, groupName) : new Map(), policySentences(now, groupName)),
  ];
}

/** The ids of the groups that versions name. */
export const groupsIn = (versions: readonly Version[]): string[] => [
  ...new Set(
    versions
      .map(guardsOf)
      .flatMap(({ quorum, escalateToGroup }) => [
        ...(quorum ?? []).map(({ group }) => group),
        escalateToGroup,
      ])
      .flatMap((id) => id ?? []),
  ),
];

const guardsOf = ({ guards }: Version) => guards as PolicyGuards;

function headChanges(before: Version, after: Version): string[] {
  const changes: string[] = [];
  if (before.name !== after.name) changes.push(`Renamed from “${before.name}” to “${after.name}”.`);
  if (before.actionPattern !== after.actionPattern)
    changes.push(`Covers ${after.actionPattern} (before: ${before.actionPattern}).`);
  if (before.active !== after.active) changes.push(after.active ? 'Switched on.' : 'Switched off.');
  return changes;
}

/** Seats at both ends that stayed the same are left out; the others are compared by their place. */
function seatChanges(was: readonly string[], now: readonly string[]): string[] {
  let start = 0;
  while (start < was.length && start < now.length && was[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(was.length, now.length) - start && was.at(-1 - end) === now.at(-1 - end)) end++;
  const changes: string[] = [];
  for (let i = start; i < Math.max(was.length, now.length) - end; i++) {
    const [old, seat] = [
      i < was.length - end ? was[i] : undefined,
      i < now.length - end ? now[i] : undefined,
    ];
    if (old === undefined) changes.push(`Added seat ${i + 1}: ${seat}.`);
    else if (seat === undefined) changes.push(`Removed seat ${i + 1}: ${old}.`);
    else changes.push(`Seat ${i + 1}: ${seat} (before: ${old}).`);
  }
  return changes;
}

function sentenceChanges(was: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((member) => {
    const [old, sentence] = [was.get(member), now.get(member)];
    if (old === sentence) return [];
    if (old === undefined) return [`Added: ${sentence}.`];
    return [sentence === undefined ? `Removed: ${old}.` : `${sentence} (before: ${old}).`];
  });
}
