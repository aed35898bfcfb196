// Finds rows that must exist according to the journal but are missing.
import type { Queryable } from '../../../../../db/database.ts';
import { sql } from '../../../../../db/sql.ts';
import type { CenterChains } from './chains.ts';

/** A journal entry without a row, or one that the comparison of rows needs. */
export interface Entry {
  index: number;
  kind: string;
  content: { [name: string]: unknown };
  timestamp: string;
  /** The column that places the row elsewhere; null if there is no row. */
  misplaced: string | null;
}

export interface JournalFacts {
  /** Entries whose row is missing or references another position on the journal. */
  missing: Entry[];
  policies: Entry[];
  /** The first revocation of each mandate, by the decision that granted it. */
  revocations: Map<string, Entry>;
  /** Records of groups and delegations, with the text of each. */
  seats: (Entry & { text: string })[];
  /** Erasures, by the id of a decision or record and the time. */
  erased: Map<string, Erasure>;
  /** By the id of a decision or record, each erased path with the position of its entry. */
  erasedPaths: Map<string, Map<string, number>>;
}

/** An erasure as recorded on the journal. */
interface Erasure {
  paths: Set<string>;
  reason: unknown;
}

const CHUNK = 5_000;
/** The maximum number of entries kept in memory, however damaged the data is. */
const MOST_MISSING = 1_000;

/**
 * Entries are parsed as JSON in the database. Only entries without a row and those about policies, groups,
 * delegations and erasures are transferred. A row names its own entry, so each lookup is by key.
 */
const readSql = (only: string) => `
  WITH entry AS MATERIALIZED (
    SELECT r.index, r.content, r.timestamp, p.c, p.c->>'kind' AS kind
    FROM ledger_record r CROSS JOIN LATERAL (
      SELECT try_jsonb(r.content) AS c) p
    WHERE r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int ${only}
  )
  SELECT e.index, e.kind, e.content, e.timestamp, CASE
    WHEN e.kind = 'recorded' THEN (
      SELECT CASE d.center_id WHEN $centerId THEN 'journalIndex' ELSE 'centerId' END
      FROM decision_event d WHERE d.id = e.c->>'eventId')
    WHEN e.kind IN ('approved', 'rejected') THEN (
      SELECT 'journalIndex' FROM approval a WHERE a.id = e.c->'approval'->>'id')
  END AS misplaced
  FROM entry e
  WHERE CASE e.kind
    WHEN 'policy' THEN true
    WHEN 'mandate' THEN true
    WHEN 'group' THEN true
    WHEN 'delegation' THEN true
    WHEN 'erased' THEN true
    WHEN 'recorded' THEN NOT EXISTS (
      SELECT FROM decision_event d WHERE d.id = e.c->>'eventId' AND d.journal_index = e.index AND d.center_id = $centerId)
    WHEN 'approved' THEN NOT EXISTS (
      SELECT FROM approval a WHERE a.id = e.c->'approval'->>'id' AND a.journal_index = e.index)
    WHEN 'rejected' THEN NOT EXISTS (
      SELECT FROM approval a WHERE a.id = e.c->'approval'->>'id' AND a.journal_index = e.index)
    WHEN 'outcome' THEN NOT EXISTS (
      SELECT FROM outcome o WHERE o.event_id = e.c->>'eventId' AND o.journal_index = e.index)
    WHEN 'dpu' THEN EXISTS (
      SELECT FROM jsonb_array_elements(
        CASE jsonb_typeof(e.c->'born') WHEN 'array' THEN e.c->'born' ELSE '[]' END
        || CASE jsonb_typeof(e.c->'changed') WHEN 'array' THEN e.c->'changed' ELSE '[]' END) f
      -- Not as NOT EXISTS: that may become a join that reads the whole table for each entry.
      WHERE ((SELECT d.journal_index FROM dpu d WHERE d.id = f->>'id') >= e.index) IS NOT TRUE)
    ELSE false
  END
  ORDER BY e.index`;

export const ENTRY_ROW = { index: 'int', kind: 'text', content: 'text', timestamp: 'text' } as const;
const FACT_ROW = { ...ENTRY_ROW, misplaced: 'text?' } as const;
const EVERYTHING = sql('journal_facts', FACT_ROW)`${readSql('')}`;
/** Ids need no JSON escaping, so an entry contains them verbatim. */
const OF_ONE = sql('journal_facts_of', FACT_ROW)`${readSql('AND strpos(r.content, $id) > 0')}`;

/** The facts of the whole journal, or only those about the given decision or record. */
export async function readJournalFacts(
  db: Queryable,
  { centerId, journal }: CenterChains,
  id?: string,
): Promise<JournalFacts> {
  const facts: JournalFacts = {
    missing: [],
    policies: [],
    revocations: new Map(),
    seats: [],
    erased: new Map(),
    erasedPaths: new Map(),
  };
  if (journal === null) return facts;
  for (let from = 0; from < journal.length; from += CHUNK) {
    const chunk = { chainId: journal.id, from, to: from + CHUNK, centerId };
    const rows = await (id === undefined ? EVERYTHING.rows(db, chunk) : OF_ONE.rows(db, { ...chunk, id }));
    for (const { content, ...row } of rows) {
      const entry: Entry = { ...row, content: JSON.parse(content) as Entry['content'] };
      if (entry.kind === 'policy') facts.policies.push(entry);
      else if (entry.kind === 'mandate') noteRevocation(facts, entry);
      else if (entry.kind === 'group' || entry.kind === 'delegation')
        facts.seats.push({ ...entry, text: content });
      else if (entry.kind === 'erased') noteErasure(facts, entry);
      else if (facts.missing.length < MOST_MISSING) facts.missing.push(entry);
    }
  }
  return facts;
}

function noteRevocation({ revocations }: JournalFacts, entry: Entry): void {
  const eventId = String(entry.content['eventId']);
  if (!revocations.has(eventId)) revocations.set(eventId, entry);
}

export const erasureKey = (id: string, at: string) => `${id} ${at}`;

/** Ids need no JSON escaping, so an entry contains them verbatim. */
function noteErasure({ erased, erasedPaths }: JournalFacts, { content, timestamp, index }: Entry): void {
  const { eventId, dpuId, fields, reason } = content;
  const id = String(eventId ?? dpuId);
  const key = erasureKey(id, timestamp);
  const { paths } = erased.get(key) ?? { paths: new Set() };
  const places = erasedPaths.get(id) ?? new Map<string, number>();
  for (const path of Array.isArray(fields) ? fields : []) {
    paths.add(String(path));
    if (!places.has(String(path))) places.set(String(path), index);
  }
  erased.set(key, { paths, reason });
  erasedPaths.set(id, places);
}
