// The newest records of groups and delegations on the journal, with the people that are stored for them.

import { disclosureDigest } from '@countersign/proof-kit/disclosure';
import type { KnownDelegation, KnownGroup, SeatRecords } from '@countersign/proof-kit/seat-people';
import { delegationContent, groupContent } from '@countersign/proof-kit/verify-groups';
import type { Queryable } from '../../db/database.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';
import { parseJson } from '../../lib/json.ts';
import type { KeptPerson } from '../ledger/chains/journal.ts';
import { personDisclosure } from './group-records.ts';

const NEWEST = sql('newest_seat_records', {
  subject: 'text',
  people: typed<readonly KeptPerson[]>('json'),
  content: 'text',
  timestamp: 'text',
})`
  SELECT n.subject, n.people, r.content, r.timestamp
  FROM unnest($subjects::text[]) AS s(id) CROSS JOIN LATERAL (
    SELECT p.* FROM journal_people p WHERE p.subject = s.id ORDER BY p.index DESC LIMIT 1) n
  JOIN ledger_record r ON r.chain_id = n.chain_id AND r.index = n.index`;

/** Groups and delegations by id, as the journal has them. */
export interface CurrentSeatRecords extends SeatRecords {
  groups: Map<string, KnownGroup>;
  delegations: Map<string, KnownDelegation>;
  /** When each of them was recorded. */
  recordedAt: Map<string, string>;
}

/** What is on the journal counts, not the rows of groups and delegations: a verifier reads the journal. */
export async function newestSeatRecords(
  db: Queryable,
  subjects: readonly string[],
): Promise<CurrentSeatRecords> {
  const records: CurrentSeatRecords = { groups: new Map(), delegations: new Map(), recordedAt: new Map() };
  if (subjects.length === 0) return records;
  for (const row of await NEWEST.rows(db, { subjects: [...new Set(subjects)] })) {
    noteSeatRecord(records, row.subject, row);
    records.recordedAt.set(row.subject, row.timestamp);
  }
  return records;
}

/** Adds what a record says of a group or delegation. Records of earlier versions name no people and are left out. */
export function noteSeatRecord(
  { groups, delegations }: Pick<CurrentSeatRecords, 'groups' | 'delegations'>,
  id: string,
  { content, people }: Pick<RowOf<typeof NEWEST>, 'content' | 'people'>,
): void {
  const value = parseJson(content);
  const byDigest = new Map(people.map((each) => [disclosureDigest(personDisclosure(each)), each]));
  const personOf = (digest: string, role: KeptPerson['role']) => {
    const person = byDigest.get(digest);
    return person?.role === role ? person.id : undefined;
  };
  const group = groupContent(value);
  if (group?.id === id) {
    const members = group.deleted ? [] : group.members;
    const known = members.map((digest) => personOf(digest, 'member')).filter((each) => each !== undefined);
    groups.set(id, { members: known, hasMore: known.length < members.length });
  }
  const delegation = delegationContent(value);
  if (delegation?.id === id) {
    const { from, to } = delegation;
    delegations.set(id, { ...delegation, from: personOf(from, 'from'), to: personOf(to, 'to') });
  }
}
