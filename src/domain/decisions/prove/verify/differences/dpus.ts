// The DPU rows: each record must have exactly one, which must match its record and its journal entry.
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql } from '../../../../../db/sql.ts';
import { type JsonObject, objectOf, parseJson } from '../../../../../lib/json.ts';
import { DPU_COLUMNS, DPU_ROW } from '../../../../dpus/dpu-row.ts';
import { type DpuFacts, factsOf } from '../../../../ledger/chains/new-dpu.ts';
import { type CenterChains, chainRanges } from './chains.ts';
import type { Differences } from './difference.ts';
import { erasureKey, type JournalFacts } from './journal.ts';

const CHUNK = 5_000;

/** Records without a row, which are no longer visible. */
const WITHOUT_ROW = sql('records_without_dpu', { index: 'int', content: 'text' })`
  SELECT r.index, r.content FROM ledger_record r
  WHERE r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int
    AND NOT EXISTS (SELECT FROM dpu d WHERE d.chain_id = r.chain_id AND d.index = r.index)
  ORDER BY r.index LIMIT 100`;

/** A full count needs no further query. */
const COUNT = sql('count_dpus', { equal: 'boolean' })`
  SELECT (SELECT count(*) FROM ledger_record WHERE chain_id = $chainId AND index >= $from::int AND index < $to::int)
       = (SELECT count(*) FROM dpu WHERE chain_id = $chainId AND index >= $from::int AND index < $to::int) AS equal`;

/** Rows of the center that are on none of its chains, or have no record. */
const WITHOUT_RECORD = sql('dpus_without_record', { id: 'text' })`
  SELECT d.id FROM dpu d
  WHERE d.center_id = $centerId AND (
    d.chain_id IS DISTINCT FROM CASE d.domain WHEN 'platform' THEN $platformChain::int WHEN 'proof' THEN $proofChain::int END
    OR d.index < 0 OR d.index >= CASE d.domain WHEN 'platform' THEN $platformLength::int ELSE $proofLength::int END)
  ORDER BY d.id LIMIT 100`;

/**
 * The row's digest is computed in the database and searched for in the entry that the row names. Rows with a newer entry are
 * known from the journal. A record may be empty only if its content was erased.
 */
const PLATFORM = sql('compare_dpus', { ...DPU_ROW, entry: 'text?', entryIndex: 'int?' })`
  SELECT ${DPU_COLUMNS}, j.content AS entry, j.index AS "entryIndex"
  FROM dpu d
  JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  LEFT JOIN ledger_record j ON j.chain_id = $journalId::int AND j.index = d.journal_index
  WHERE d.chain_id = $chainId AND d.index >= $from::int AND d.index < $to::int
    AND (j.content IS NULL OR strpos(j.content, dpu_digest(d)) = 0 OR d.center_id <> $centerId OR d.domain <> 'platform'
         OR d.erased_at IS NOT NULL OR d.erased_reason IS NOT NULL OR r.content = '' OR d.id = ANY ($unapplied::text[]))
  ORDER BY d.index`;

type PlatformRow = RowOf<typeof PLATFORM>;

/** Reports missing rows. Returns the sealed decisions whose DPU is missing. */
export async function compareDpus(
  db: Queryable,
  chains: CenterChains,
  facts: JournalFacts,
  found: Differences,
): Promise<Set<string>> {
  const { centerId, platform, proof } = chains;
  const newest = newestUnappliedFacts(facts);
  const missing = new Map([...newest.values()].map((entry) => [entry.facts.index, entry.facts.id]));
  for (const [from, to] of chainRanges(platform, CHUNK)) {
    if (found.full) break;
    for (const { index } of await withoutRow(db, platform!.id, from, to)) {
      found.add({ table: 'dpu', id: missing.get(index) ?? '', chain: 'platform', index, member: null });
    }
    await comparePlatform(db, chains, facts, newest, [from, to], found);
  }
  const withoutDpu = new Set<string>();
  for (const [from, to] of chainRanges(proof, CHUNK)) {
    for (const { index, content } of await withoutRow(db, proof!.id, from, to)) {
      const eventId = eventOf(content);
      withoutDpu.add(eventId);
      found.add({ table: 'dpu', id: await dpuOf(db, eventId), chain: 'proof', index, member: null });
    }
  }
  const lost = await WITHOUT_RECORD.rows(db, {
    centerId,
    platformChain: platform?.id ?? null,
    proofChain: proof?.id ?? null,
    platformLength: platform?.length ?? 0,
    proofLength: proof?.length ?? 0,
  });
  for (const { id } of lost) {
    found.add({ table: 'dpu', id, chain: 'platform', index: null, member: null });
  }
  return withoutDpu;
}

async function withoutRow(db: Queryable, chainId: number, from: number, to: number) {
  const [counted] = await COUNT.rows(db, { chainId, from, to });
  return counted!.equal ? [] : WITHOUT_ROW.rows(db, { chainId, from, to });
}

/** The row of one platform record, compared with its journal entry. */
export function comparePlatformDpu(
  db: Queryable,
  chains: CenterChains,
  facts: JournalFacts,
  index: number,
  found: Differences,
): Promise<void> {
  return comparePlatform(db, chains, facts, newestUnappliedFacts(facts), [index, index + 1], found);
}

interface JournaledFacts {
  facts: DpuFacts;
  /** The index of the entry. */
  at: number;
}

/** The newest entries that their rows do not reflect, by id: the row is missing, or was reset to an earlier state. */
function newestUnappliedFacts({ missing }: JournalFacts): Map<string, JournaledFacts> {
  const entries = missing.filter(({ kind }) => kind === 'dpu');
  return new Map(
    entries.flatMap(({ content, index: at }) => factsIn(content).map((facts) => [facts.id, { facts, at }])),
  );
}

async function comparePlatform(
  db: Queryable,
  { centerId, platform, journal }: CenterChains,
  facts: JournalFacts,
  newest: ReadonlyMap<string, JournaledFacts>,
  [from, to]: [from: number, to: number],
  found: Differences,
): Promise<void> {
  const rows = await PLATFORM.rows(db, {
    chainId: platform!.id,
    from,
    to,
    journalId: journal?.id ?? null,
    centerId,
    unapplied: [...newest.keys()],
  });
  for (const row of rows) comparePlatformRow(row, centerId, facts, newest.get(row.id), found);
}

function factsIn(content: JsonObject): DpuFacts[] {
  return [content['born'], content['changed']].flatMap((list) => (Array.isArray(list) ? list : []));
}

function comparePlatformRow(
  row: PlatformRow,
  centerId: number | null,
  facts: JournalFacts,
  newer: JournaledFacts | undefined,
  found: Differences,
): void {
  const name = (member: string | null, chain: string, index: number | null) =>
    found.add({ table: 'dpu', id: row.id, chain, index, member });
  if (row.centerId !== centerId) name('centerId', 'platform', row.chainIndex);
  if (row.domain !== 'platform') name('domain', 'platform', row.chainIndex);
  const erased = row.erasedAt && facts.erased.get(erasureKey(row.id, row.erasedAt.toISOString()));
  if ((row.content === '' || row.erasedAt !== null) && !(erased && row.content === '')) {
    name('content', 'platform', row.chainIndex);
  }
  if (row.erasedReason !== (erased?.reason ?? null)) name('erasedReason', 'platform', row.chainIndex);
  const was = newer?.facts ?? sealedFacts(row);
  const at = newer?.at ?? row.entryIndex;
  if (newer) name('journalIndex', 'journal', at);
  if (!was) {
    name(null, 'journal', null);
    return;
  }
  const is = factsOf({ ...row, index: row.chainIndex });
  if (was.digest === is.digest) return;
  const members = Object.keys(is.members).filter((member) => was.members[member] !== is.members[member]);
  for (const member of members.length > 0 ? members : ['salt']) name(member, 'journal', at);
}

const sealedFacts = ({ id, entry }: PlatformRow): DpuFacts | undefined =>
  factsIn(objectOf(parseJson(entry ?? ''))).find((each) => each?.id === id);

export const eventOf = (content: string): string =>
  String(objectOf(objectOf(parseJson(content))['event'])['id'] ?? '');

const DPU_OF_EVENT = sql('dpu_of_event', { dpuId: 'text' })`
  SELECT dpu_id AS "dpuId" FROM decision_event WHERE id = $eventId`;

async function dpuOf(db: Queryable, eventId: string): Promise<string> {
  const [event] = await DPU_OF_EVENT.rows(db, { eventId });
  return event?.dpuId ?? '';
}
