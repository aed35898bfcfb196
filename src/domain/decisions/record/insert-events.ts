// The statement that inserts decision events with their journal entries.
import { EVENT } from '@countersign/proof-kit/decision';
import type { Queryable } from '../../../db/database.ts';
import { recordset } from '../../../db/recordset.ts';
import { sql, type Transaction, typed } from '../../../db/sql.ts';
import { addJobs, jobSql } from '../../../queue/enqueue.ts';
import { storeResultSql } from '../../idempotency/claim.ts';
import { lockHeads } from '../../ledger/chains/chains.ts';
import { journalText } from '../../ledger/chains/journal.ts';
import { escalatesAfterSql } from '../../policies/escalation-time.ts';
import { split } from '../content.ts';
import { type EventDraft, KEY_OWNER, keyOwner } from '../draft.ts';
import { recordedEntry } from '../journal-entries.ts';

/**
 * written; known: the idempotency key already has an event; held: the center's journal is locked; lost: the request no longer
 * holds its Idempotency-Key.
 */
export type InsertResult = 'written' | 'known' | 'held' | 'lost';
export type InsertResults = Map<string, InsertResult>;

/** Inserts events inside a transaction, waiting for the journals. Their heads stay locked until it ends, so call it late. */
export async function insertEventsIn(tx: Transaction, drafts: EventDraft[]): Promise<InsertResults> {
  const centers = new Set(drafts.map(({ centerId }) => centerId));
  const names = [...centers].map((centerId) => ({ centerId, domain: 'journal' as const }));
  await lockHeads(tx, names, 'wait');
  return insertEvents(tx, drafts);
}

/**
 * Inserts events, their journal entries and counts, and marks the callers' keys, in one statement. It never waits: if a
 * center's journal is locked, nothing of that center is written.
 */
export async function insertEvents(
  db: Queryable | Transaction,
  drafts: EventDraft[],
): Promise<InsertResults> {
  const chosen = firstOfEachKey(drafts);
  const claims = drafts.some(({ claim }) => claim !== null);
  const jobs = drafts.some(({ sealJobAt }) => sealJobAt !== null);
  const timestamp = new Date().toISOString();
  const rows = await INSERTS[`${claims}-${jobs}`].rows(db, {
    centerIds: [...new Set(chosen.map(({ centerId }) => centerId))],
    timestamp,
    drafts: draftColumns.values(chosen.map(toColumns)),
  });
  const results: InsertResults = new Map(rows.map(({ id, result }) => [id, result]));
  const written = new Map(rows.map((row) => [row.id, row]));
  for (const draft of chosen) {
    const { index = null, hash = null } = written.get(draft.event.id) ?? {};
    if (index !== null && hash !== null) draft.entry = { index, hash, timestamp };
  }
  // A duplicate key within the batch is held if its center is; otherwise it is known, because another draft was written.
  const held = new Set(chosen.filter(({ event }) => results.get(event.id) === 'held').map((d) => d.centerId));
  for (const { event, centerId } of drafts) {
    if (!results.has(event.id)) results.set(event.id, held.has(centerId) ? 'held' : 'known');
  }
  return results;
}

function firstOfEachKey(drafts: EventDraft[]): EventDraft[] {
  const seen = new Set<string>();
  return drafts.filter((draft) => {
    const { centerId, source, idempotencyKey } = draft;
    if (idempotencyKey === null) return true;
    const key = `${centerId} ${source} ${keyOwner(draft) ?? ''} ${idempotencyKey}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The SQL added for Idempotency-Keys: checks that the requests still hold them, before anything is written. */
interface ClaimsSql {
  kept: string;
  areKept: string;
  claimed: string;
  result: string;
}

const NO_CLAIMS: ClaimsSql = { kept: '', areKept: '', claimed: '', result: '' };
const IS_KEPT = 'SELECT FROM kept_claim k WHERE k.principal = d.principal AND k.key = d.key';
const CLAIMS: ClaimsSql = {
  kept: `kept_claim AS MATERIALIZED (
    SELECT r.principal, r.key FROM idempotency_record r
    JOIN draft d ON d.principal = r.principal AND d.key = r.key AND d.fence = r.fence FOR UPDATE OF r
  ),`,
  areKept: `(d.key IS NULL OR EXISTS (${IS_KEPT})) AND`,
  claimed: `, claimed AS (
        ${storeResultSql('fresh d', 'd', '$timestamp::timestamptz', 'ARRAY[d.id, d."dpuId"]')}
      )`,
  result: `WHEN d.key IS NOT NULL AND NOT EXISTS (${IS_KEPT}) THEN 'lost'`,
};

/** The SQL added for jobs. Their count must be selected, or PostgreSQL would not add them. */
interface JobsSql {
  queued: string;
  count: string;
}

const NO_JOBS: JobsSql = { queued: '', count: '' };
const SEAL_JOB = jobSql('seal_decision', {
  payload: { centerId: 'f."centerId"', eventId: 'f.id' },
  runAt: 'f."sealJobAt"',
});
const JOBS: JobsSql = {
  queued: `, queued AS MATERIALIZED (
        ${addJobs(`SELECT ${SEAL_JOB} FROM fresh f WHERE f."sealJobAt" IS NOT NULL`)}
      )`,
  count: ', (SELECT count(*) FROM queued) AS jobs',
};

const draftColumns = recordset<ReturnType<typeof toColumns>>({
  id: 'text',
  centerId: 'int',
  evidenceId: 'text',
  dpuId: 'text',
  source: 'decision_source',
  idempotencyKey: 'text',
  bodyHash: 'text',
  content: 'jsonb',
  large: 'json',
  awaitsApproval: 'boolean',
  salts: 'json',
  contentHash: 'text',
  byKind: 'approved_by_kind',
  byId: 'text',
  keyOwner: 'text',
  bySalt: 'text',
  expiresAt: 'timestamptz',
  sealJobAt: 'timestamptz',
  recordedAt: 'timestamptz',
  entry: 'text',
  principal: 'text',
  key: 'text',
  fence: 'text',
  kept: 'text',
});

const insertSql = ({ kept, areKept, claimed, result }: ClaimsSql, { queued, count }: JobsSql) => `
  WITH draft AS MATERIALIZED (
    SELECT * FROM ${draftColumns.from('drafts')} d
  ), ${kept} head AS MATERIALIZED (
    SELECT c.id, c.center_id, c.size, c.head_hash, ${escalatesAfterSql('c.center_id')} AS escalates_after FROM ledger_chain c
    WHERE c.center_id = ANY ($centerIds::int[]) AND c.domain = 'journal' ORDER BY c.id FOR UPDATE SKIP LOCKED
  ), fresh AS MATERIALIZED (
    SELECT d.*, h.escalates_after, h.id AS chain_id, h.size + (row_number() OVER (PARTITION BY h.id ORDER BY d.place))::int - 1 AS index
    FROM draft d JOIN head h ON h.center_id = d."centerId"
    -- A scalar subquery uses an index. NOT EXISTS may read the whole table into memory.
    WHERE ${areKept} (d."idempotencyKey" IS NULL OR (
      SELECT e.id FROM decision_event e
      WHERE e.center_id = d."centerId" AND e.source = d.source AND e.idempotency_key = d."idempotencyKey"
        AND ${KEY_OWNER} IS NOT DISTINCT FROM d."keyOwner") IS NULL)
  ), linked AS MATERIALIZED (
    SELECT h.id AS chain_id, h.size + l.place - 1 AS index, f.entries[l.place] AS content, l.hash, l.previous_hash,
           l.place = cardinality(f.entries) AS last
    FROM (SELECT chain_id, array_agg(entry ORDER BY place) AS entries FROM fresh GROUP BY chain_id) f
    JOIN head h ON h.id = f.chain_id CROSS JOIN LATERAL ledger_link(h.head_hash, f.entries, $timestamp::text) l
  ), journalled AS (
    INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
    SELECT chain_id, index, content, previous_hash, hash, $timestamp::text FROM linked
  ), moved AS (
    UPDATE ledger_chain c SET size = l.index + 1, head_hash = l.hash FROM linked l WHERE l.last AND c.id = l.chain_id
  ), inserted AS (
    INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, source, idempotency_key, body_hash, content, large,
      large_bytes, awaits_approval, salts, content_hash, journal_index, by_kind, by_id, by_salt, expires_at,
      due_at, created_at, updated_at)
    SELECT id, "centerId", "evidenceId", "dpuId", source, "idempotencyKey", "bodyHash", content, large,
      octet_length(large::text), "awaitsApproval", salts, "contentHash", index, "byKind", "byId", "bySalt", "expiresAt",
      CASE WHEN source <> 'AGENT' OR "awaitsApproval" THEN least("expiresAt", "recordedAt" + escalates_after) END, "recordedAt", "recordedAt"
    FROM fresh
  ), tag AS MATERIALIZED (
    SELECT DISTINCT "centerId" AS center_id, tag, id AS event_id
    FROM fresh, jsonb_array_elements_text(content -> 'tags') tag
  ), tagged AS (
    INSERT INTO decision_event_tag (center_id, tag, event_id) SELECT center_id, tag, event_id FROM tag
  ), counted AS (
    INSERT INTO tally_delta (key, delta)
    SELECT 'events:' || "centerId" || ':' || (content ->> 'type') || ':recorded', count(*) FROM fresh GROUP BY 1
    UNION ALL
    SELECT tag_tally(center_id, tag), count(*) FROM tag GROUP BY center_id, tag
  )${claimed}${queued}
  SELECT d.id, f.index, l.hash, CASE WHEN f.id IS NOT NULL THEN 'written' ${result} WHEN h.id IS NOT NULL THEN 'known' ELSE 'held' END AS result${count}
  FROM draft d LEFT JOIN head h ON h.center_id = d."centerId" LEFT JOIN fresh f ON f.id = d.id
  LEFT JOIN linked l ON l.chain_id = f.chain_id AND l.index = f.index`;

const INSERTED_ROW = {
  id: 'text',
  result: typed<InsertResult>('text'),
  index: 'int?',
  hash: 'text?',
} as const;
const WITH_JOBS = { ...INSERTED_ROW, jobs: 'bigint' } as const;

/** Keyed by whether requests have Idempotency-Keys and whether jobs seal their events. */
const INSERTS = {
  'false-false': sql('record_decision_events', INSERTED_ROW)`${insertSql(NO_CLAIMS, NO_JOBS)}`,
  'false-true': sql('record_decision_events_and_jobs', WITH_JOBS)`${insertSql(NO_CLAIMS, JOBS)}`,
  'true-false': sql('record_decision_events_with_claims', INSERTED_ROW)`${insertSql(CLAIMS, NO_JOBS)}`,
  'true-true': sql('record_decision_events_with_claims_and_jobs', WITH_JOBS)`${insertSql(CLAIMS, JOBS)}`,
};

function toColumns({ event, claim, by, author, entry: _, ...draft }: EventDraft) {
  return {
    ...draft,
    byKind: author.kind,
    byId: author.id,
    keyOwner: keyOwner({ ...draft, author }),
    bySalt: author.salt,
    id: event.id,
    ...split(EVENT, event),
    recordedAt: event.occurredAt,
    entry: journalText(recordedEntry({ ...draft, event, by })),
    principal: claim?.principal,
    key: claim?.key,
    fence: claim?.fence,
  };
}
