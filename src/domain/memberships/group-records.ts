// Journal entries about groups and delegations. They name people by salted digests, so that the proof of a decision can disclose
// its approvers and no other members.
import { disclosureDigest, makeDisclosure } from '@countersign/proof-kit/disclosure';
import { newSalt } from '../../lib/seal-tools.ts';
import type { JournalEntry, KeptPerson } from '../ledger/chains/journal.ts';

type Named = Pick<KeptPerson, 'role' | 'id'>;

/** New salts for each record: equal people in two records cannot be recognized. */
const salted = ({ role, id }: Named): KeptPerson => ({ role, id, salt: newSalt() });

export const personDisclosure = ({ role, id, salt }: KeptPerson): string => makeDisclosure(salt, role, id);

const digestOf = (person: KeptPerson) => disclosureDigest(personDisclosure(person));

/** `memberIds`: the people of all its rows, also those whose membership is suspended and who hold no seat meanwhile. */
export function groupEntry(
  { id, name, centerId }: { id: string; name: string; centerId: number },
  memberIds: readonly string[],
  isDeleted = false,
): JournalEntry {
  const people = memberIds.map((each) => salted({ role: 'member', id: each }));
  const members = people.map(digestOf).sort();
  const content = { kind: 'group', id, name, members, ...(isDeleted && { deleted: true }) } as const;
  return { centerId, content, people: { subject: id, people } };
}

interface DelegationPeriod {
  id: string;
  centerId: number;
  startsAt: Date;
  endsAt: Date;
  endedAt: Date | null;
}

export function delegationEntry(
  { id, centerId, startsAt, endsAt, endedAt }: DelegationPeriod,
  people: { from: string; to: string },
): JournalEntry {
  const from = salted({ role: 'from', id: people.from });
  const to = salted({ role: 'to', id: people.to });
  const content = {
    kind: 'delegation',
    id,
    from: digestOf(from),
    to: digestOf(to),
    starts: startsAt.toISOString(),
    until: endsAt.toISOString(),
    ...(endedAt && { ended: endedAt.toISOString() }),
  } as const;
  return { centerId, content, people: { subject: id, people: [from, to] } };
}
