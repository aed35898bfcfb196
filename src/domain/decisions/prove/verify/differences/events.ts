// Reads the decisions of a center in pages and compares each with the journal and the proof chain.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../../../../db/database.ts';
import { columnsOf, sql } from '../../../../../db/sql.ts';
import { LARGE_BYTES } from '../../../read/contents.ts';
import { APPROVAL_COLUMNS, OWN_EVENT_COLUMNS } from '../../../row.ts';
import type { CenterChains } from './chains.ts';
import {
  approvalIn,
  compareDecision,
  DECISION_ROW,
  type DecisionRow,
  GENERATED_ROW,
  type Known,
  SEALED,
  SEALED_BEFORE_FORMAT_4,
  STORED_APPROVAL_ROW,
} from './decision.ts';
import type { Differences } from './difference.ts';
import { eventOf } from './dpus.ts';
import type { Entry, JournalFacts } from './journal.ts';
import { compareMandateKeys } from './mandate-keys.ts';
import { fingerprintOf, readRegistrations, registrationOf } from './passkeys.ts';
import type { PolicyHistory } from './policy-history.ts';
import type { SeatHistory } from './seat-history.ts';

const PAGE = 500;

/** Each decision names its own entry, so all lookups are by key. */
const readSql = (which: string) => `
  SELECT ${OWN_EVENT_COLUMNS}, ${columnsOf('e', GENERATED_ROW)}, j.content AS recorded, row_to_json(d) AS dpu, (SELECT vertical FROM center WHERE id = $centerId) AS vertical, p.index AS sealed_index, p.content AS sealed_content,
         p.timestamp AS sealed_timestamp, row_to_json(o) AS outcome, k.content AS outcome_content,
         k.timestamp AS outcome_timestamp, row_to_json(b) AS outcome_by,
         EXISTS (
           SELECT FROM unnest(e.tags) AS own(tag)
           -- Looked up by key: as NOT EXISTS it may become a join that reads the whole table.
           WHERE (SELECT t.event_id FROM decision_event_tag t
                  WHERE t.center_id = e.center_id AND t.tag = own.tag AND t.event_id = e.id) IS NULL) AS unlisted
  FROM decision_event e
  LEFT JOIN ledger_record j ON j.chain_id = $journalId::int AND j.index = e.journal_index
  LEFT JOIN dpu d ON d.id = e.dpu_id
  LEFT JOIN ledger_record p ON p.chain_id = $proofId::int AND d.chain_id = $proofId::int AND p.index = d.index
  LEFT JOIN outcome o ON o.event_id = e.id
  LEFT JOIN ledger_record k ON k.chain_id = $journalId::int AND k.index = o.journal_index
  LEFT JOIN journal_by b ON b.chain_id = k.chain_id AND b.index = k.index
  WHERE e.center_id = $centerId AND ${which}`;

/** Large members on one page, of decisions and outcomes. */
const MAX_PAGE_BYTES = 8 * 1_048_576;
/** A page ends where its large members do not fit, but has at least one decision. */
const pageSql = `e.id = ANY (ARRAY (
  SELECT id FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) AS total, row_number() OVER (ORDER BY id) AS place
    FROM (
      SELECT e.id, coalesce(${LARGE_BYTES}, 0) + coalesce(octet_length(o.large::text), 0) AS bytes
      FROM decision_event e LEFT JOIN outcome o ON o.event_id = e.id
      WHERE e.center_id = $centerId AND e.id > $id ORDER BY e.id LIMIT ${PAGE}) following) summed
  WHERE total <= ${MAX_PAGE_BYTES} OR place = 1)) ORDER BY e.id`;

/** The first page starts before all ids. */
const page = sql('compare_decisions', DECISION_ROW)`${readSql(pageSql)}`;
const one = sql('compare_decision', DECISION_ROW)`${readSql('e.id = $id')}`;

const APPROVALS = sql('compare_approvals', STORED_APPROVAL_ROW)`
  SELECT ${APPROVAL_COLUMNS}, a.center_id, j.content AS "journalContent" FROM approval a
  LEFT JOIN ledger_record j ON j.chain_id = $journalId::int AND j.index = a.journal_index
  WHERE a.event_id = ANY ($ids) ORDER BY a.created_at, a.id`;

/** Data read earlier: the journal, the history of policies, groups and delegations, and the sealed decisions whose DPU is missing. */
interface Before {
  facts: JournalFacts;
  policies: PolicyHistory;
  seats: SeatHistory;
  withoutDpu: ReadonlySet<string>;
}

/** Returns whether one of them was sealed under a mandate. */
export async function compareDecisions(
  db: Queryable,
  chains: CenterChains,
  before: Before,
  found: Differences,
): Promise<boolean> {
  const known = knownBefore(before, found, chains.proof?.length ?? 0);
  for (let after = ''; !found.full; ) {
    const rows = await compareRows(db, chains, known, page, after);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (!found.full) await nameUnclaimed(db, chains, known);
  if (!found.full) await nameOutdatedSeals(db, chains, known);
  return known.hasUses;
}

const SEALS_AT = sql('seals_at', { id: 'text', index: 'int', content: 'text' })`
  SELECT d.id, d.index, r.content FROM dpu d JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE d.chain_id = $chainId AND d.index = ANY ($indexes::int[]) AND strpos(r.content, '"kind":"decision"') > 0 ORDER BY d.index`;

/** Decisions on the proof chain without a row: they were never recorded, or the decision has another seal. */
async function nameUnclaimed(
  db: Queryable,
  { proof }: CenterChains,
  { claimed, withoutDpu, found }: Known,
): Promise<void> {
  const unclaimed: number[] = [];
  for (let i = claimed.indexOf(0); i !== -1; i = claimed.indexOf(0, i + 1)) unclaimed.push(i);
  for (let from = 0; from < unclaimed.length && !found.full; from += PAGE) {
    const rows = await SEALS_AT.rows(db, {
      chainId: proof!.id,
      indexes: unclaimed.slice(from, from + PAGE),
    });
    for (const { id, index, content } of rows)
      if (!withoutDpu.has(eventOf(content)))
        found.add({ table: 'dpu', id, chain: 'proof', index, member: null });
  }
}

/** Once a decision on a chain says what was considered, none behind it may keep silent about it. */
async function nameOutdatedSeals(
  db: Queryable,
  { proof }: CenterChains,
  { claimed, found }: Known,
): Promise<void> {
  const first = claimed.indexOf(SEALED);
  const outdated: number[] = [];
  for (
    let i = claimed.lastIndexOf(SEALED_BEFORE_FORMAT_4);
    first !== -1 && i > first && outdated.length < PAGE;
    i--
  )
    if (claimed[i] === SEALED_BEFORE_FORMAT_4) outdated.push(i);
  if (outdated.length === 0) return;
  const rows = await SEALS_AT.rows(db, { chainId: proof!.id, indexes: outdated });
  for (const { index, content } of rows)
    found.add({ table: 'decision_event', id: eventOf(content), chain: 'proof', index, member: 'policy' });
}

/** Compares one sealed decision with the journal. Returns the id of its DPU, or null if there is no such decision. */
export async function compareSealedDecision(
  db: Queryable,
  chains: CenterChains,
  before: Omit<Before, 'withoutDpu'>,
  eventId: string,
  found: Differences,
): Promise<string | null> {
  const known = knownBefore({ ...before, withoutDpu: new Set() }, found);
  const rows = await compareRows(db, chains, known, one, eventId);
  return rows[0]?.dpu_id ?? null;
}

function knownBefore(before: Before, found: Differences, seals = 0): Known {
  const claimed = new Uint8Array(seals);
  const known: Known = {
    ...before,
    found,
    hasUses: false,
    claimed,
    unreferencedEvents: new Map(),
    unreferencedApprovals: new Map(),
  };
  for (const entry of before.facts.missing) nameMissing(known, entry);
  return known;
}

async function compareRows(
  db: Queryable,
  { centerId, journal, proof }: CenterChains,
  known: Known,
  statement: typeof page,
  id: string,
): Promise<DecisionRow[]> {
  const journalId = journal?.id ?? null;
  const rows = await statement.rows(db, { centerId, journalId, proofId: proof?.id ?? null, id });
  const approvals = await APPROVALS.rows(db, { ids: rows.map((row) => row.id), journalId });
  const registrations = await readRegistrations(
    db,
    approvals.flatMap((approval) => fingerprintOf(approval) ?? []),
  );
  const byEvent = Map.groupBy(
    approvals.map((approval) => ({ ...approval, registration: registrationOf(registrations, approval) })),
    ({ event_id }) => event_id,
  );
  for (const row of rows) {
    compareDecision(known, row, byEvent.get(row.id) ?? []);
    // Hashing it again takes milliseconds.
    if (row.large) await nextTurn();
  }
  if (await compareMandateKeys(db, rows, known.found)) known.hasUses = true;
  return rows;
}

/** Rows that the journal mentions but that are missing or do not reference their entry. */
function nameMissing({ found, unreferencedEvents, unreferencedApprovals }: Known, entry: Entry): void {
  const { index, kind, content, misplaced: member } = entry;
  const eventId = String(content['eventId']);
  const at = { chain: 'journal', index };
  if (kind === 'recorded') {
    unreferencedEvents.set(eventId, entry);
    found.add({ table: 'decision_event', id: eventId, ...at, member });
  } else if (kind === 'outcome') {
    found.add({ table: 'decision_event', id: eventId, ...at, member: 'outcome' });
  } else if (kind === 'approved' || kind === 'rejected') {
    unreferencedApprovals.set(eventId, [...(unreferencedApprovals.get(eventId) ?? []), entry]);
    found.add({ table: 'approval', id: String(approvalIn(content)?.id), ...at, member });
  }
}
