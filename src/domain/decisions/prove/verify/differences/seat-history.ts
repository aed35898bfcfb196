// Groups and delegations of a center over time, from the records of its journal.

import type { SealedDecision } from '@countersign/proof-kit/decision';
import { findSeatPeople, namedGroups } from '@countersign/proof-kit/seat-people';
import type { Queryable } from '../../../../../db/database.ts';
import { sql, typed } from '../../../../../db/sql.ts';
import type { KeptPerson } from '../../../../ledger/chains/journal.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../ledger/sealer/policy-order.ts';
import { type CurrentSeatRecords, noteSeatRecord } from '../../../../memberships/seat-records.ts';
import type { ApprovalRow } from '../../../row.ts';
import type { CenterChains } from './chains.ts';
import { ENTRY_ROW, type Entry } from './journal.ts';

/** A record of a group or a delegation, with the people that are stored for it. */
export interface SeatEntry extends Pick<Entry, 'index' | 'content' | 'timestamp'> {
  text: string;
  people: readonly KeptPerson[];
}

/** The newest record at the end of a list. */
export type SeatHistory = ReadonlyMap<string, readonly SeatEntry[]>;

const historyOf = (entries: readonly SeatEntry[]): SeatHistory =>
  Map.groupBy(entries, ({ content }) => String(content['id']));

const PEOPLE = sql('people_of_journal', { index: 'int', people: typed<readonly KeptPerson[]>('json') })`
  SELECT p.index, p.people FROM journal_people p WHERE p.chain_id = $chainId`;

/** From the entries of the whole journal. */
export async function readSeatHistory(
  db: Queryable,
  { journal }: CenterChains,
  entries: readonly (Entry & { text: string })[],
): Promise<SeatHistory> {
  if (journal === null || entries.length === 0) return new Map();
  const rows = await PEOPLE.rows(db, { chainId: journal.id });
  const peopleAt = new Map(rows.map(({ index, people }) => [index, people]));
  return historyOf(entries.map((entry) => ({ ...entry, people: peopleAt.get(entry.index) ?? [] })));
}

const RECORDS = sql('seat_records_of_center', { ...ENTRY_ROW, people: typed<readonly KeptPerson[]>('json') })`
  SELECT r.index, '' AS kind, r.content, r.timestamp, p.people
  FROM journal_people p JOIN ledger_record r ON r.chain_id = p.chain_id AND r.index = p.index
  WHERE p.chain_id = $chainId ORDER BY p.index`;

/** The same without reading the whole journal, for the verification of a single decision. */
export async function findSeatHistory(db: Queryable, { journal }: CenterChains): Promise<SeatHistory> {
  if (journal === null) return new Map();
  const rows = await RECORDS.rows(db, { chainId: journal.id });
  return historyOf(
    rows.map(({ content: text, ...row }) => ({
      ...row,
      text,
      content: JSON.parse(text) as Entry['content'],
    })),
  );
}

/**
 * Whether the approvers of a decision could fill its seats by the records below `size`; otherwise which kind of record does not
 * allow it. `at` is the time of the seal.
 */
export function seatDifference(
  history: SeatHistory,
  sealed: SealedDecision,
  { approvals: rows, size, at }: { approvals: readonly ApprovalRow[]; size: number; at: string },
): 'group' | 'delegation' | null {
  const approvals = sealed.approvals.map((approval) => {
    const { approver, onBehalfOf } = rows.find(({ id }) => id === approval.id)?.content ?? {};
    return { ...approval, approver: { id: approver?.id }, onBehalfOf };
  });
  const records = { groups: new Map(), delegations: new Map() };
  const groups = approvals.flatMap(namedGroups);
  const delegations = approvals.flatMap(({ delegation }) => delegation?.id ?? []);
  for (const id of new Set([...groups, ...delegations])) {
    const entries = history.get(id) ?? [];
    if (isOutdated(entries, size, at)) return groups.includes(id) ? 'group' : 'delegation';
    const newest = entries.findLast(({ index }) => index < size);
    if (newest) noteSeatRecord(records, id, { content: newest.text, people: newest.people });
  }
  const { fault, missing, withheld } = findSeatPeople(approvals, records);
  if (fault) return fault.record;
  if (missing.has('group') || withheld.has('groups.members')) return 'group';
  return missing.size + withheld.size > 0 ? 'delegation' : null;
}

/** Whether a record that the seal does not cover had been written long before it. */
function isOutdated(entries: readonly SeatEntry[], size: number, at: string): boolean {
  const before = new Date(Date.parse(at) - CLOCK_TOLERANCE_MS).toISOString();
  return entries.some(({ index, timestamp }) => index >= size && timestamp < before);
}

/** What the newest record says, for the comparison with a row. */
export function newestKnown(
  id: string,
  { text, people }: SeatEntry,
): Pick<CurrentSeatRecords, 'groups' | 'delegations'> {
  const records = { groups: new Map(), delegations: new Map() };
  noteSeatRecord(records, id, { content: text, people });
  return records;
}
