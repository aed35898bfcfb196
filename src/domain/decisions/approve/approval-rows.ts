import type { PoolClient } from '../../../db/database.ts';
import type { DecisionEventStatus } from '../../../db/generated/prisma/enums.ts';
import { recordset } from '../../../db/recordset.ts';
import { type Statement, sql, typed } from '../../../db/sql.ts';
import type { KeptAuthor } from '../../ledger/chains/journal.ts';
import { type ChainSizes, governedSql, policyParser } from '../../policies/in-force.ts';
import { sumByKey, tallyColumns } from '../../tallies/tally.ts';
import type { ApprovalContent, Salts } from '../content.ts';
import type { MandateUse } from '../mandates/use.ts';
import { LARGE_BYTES } from '../read/contents.ts';
import { statusChanged } from '../read/counts.ts';
import {
  APPROVAL_COLUMNS,
  APPROVAL_ROW,
  type EventRow,
  OWN_EVENT_COLUMNS,
  OWN_EVENT_ROW,
  toContent,
} from '../row.ts';
import type { BoundApproval, OpenDecision } from './evaluate-approval.ts';

const MEBIBYTE = 1_048_576;
/** Large members that one batch reads. Sealing them blocks the process, so a shared batch takes fewer. */
const MAX_SHARED_BYTES = 4 * MEBIBYTE;
const MAX_ALONE_BYTES = 16 * MEBIBYTE;

/**
 * Includes the event's journal entry: what was recorded, even if the row has changed since. The decisions are selected on their
 * own: joined to their centers, a plan made while the table was small reads all decisions of these centers. The smallest come
 * first, so those that do not fit into the batch never displace others.
 */
const lockSql = (lockedRows: '' | 'SKIP LOCKED', maxBytes: number) => `
  WITH governed AS MATERIALIZED (${governedSql('$centerIds')}), locked AS MATERIALIZED (
    SELECT * FROM decision_event WHERE id = ANY ($ids::text[]) ORDER BY id FOR UPDATE ${lockedRows}
  ), e AS (
    SELECT e.*, sum(size) OVER smallest AS total, row_number() OVER smallest AS place
    FROM (SELECT e.*, coalesce(${LARGE_BYTES}, 0) AS size FROM locked e) e WINDOW smallest AS (ORDER BY size, id)
  )
  SELECT ${OWN_EVENT_COLUMNS}, j.content AS recorded,
         g.domain AS center_domain, g.policies::text, g.sizes, g."governedSince" AS governed_since
  FROM e
  JOIN governed g ON g.id = e.center_id
  LEFT JOIN ledger_chain c ON c.center_id = e.center_id AND c.domain = 'journal'
  LEFT JOIN ledger_record j ON j.chain_id = c.id AND j.index = e.journal_index
  WHERE e.total <= ${maxBytes} OR e.place = 1`;

const LOCKED_ROW = {
  ...OWN_EVENT_ROW,
  recorded: 'text?',
  center_domain: 'text',
  policies: 'text',
  sizes: typed<ChainSizes>('json'),
  governed_since: 'timestamptz',
} as const;
const LOCK = sql('lock_decisions', LOCKED_ROW)`${lockSql('', MAX_ALONE_BYTES)}`;
const LOCK_FREE = sql('lock_free_decisions', LOCKED_ROW)`${lockSql('SKIP LOCKED', MAX_SHARED_BYTES)}`;

interface LockedDecisions {
  decisions: Map<string, OpenDecision>;
  /** Decisions locked by another transaction, or too large for this batch. */
  held: Set<string>;
}

/** Decisions of the given centers with their approvals and policies, by id, locked until the end of the transaction. */
export async function lockDecisions(
  client: PoolClient,
  ids: string[],
  centerIds: number[],
  wait: boolean,
): Promise<LockedDecisions> {
  // Pipelined. The approvals are read by a statement of their own, whose snapshot begins after the locks are taken.
  const [rows, byEvent] = await Promise.all([
    (wait ? LOCK : LOCK_FREE).rows(client, { ids, centerIds }),
    approvalsOf(client, ids),
  ]);
  const parsePolicies = policyParser();
  const decisions = new Map(
    rows.map(({ center_domain: domain, policies, sizes, governed_since: governedSince, ...row }) => {
      const center = { id: row.center_id, domain, policies: parsePolicies(policies), sizes, governedSince };
      return [row.id, { row, event: toContent(row), center, approvals: byEvent.get(row.id) ?? [] }];
    }),
  );
  const missing = ids.filter((id) => !decisions.has(id));
  return {
    decisions,
    held: missing.length === 0 ? new Set() : await existing(client, missing, centerIds),
  };
}

const EXISTING_DECISIONS = sql('existing_decisions', { id: 'text' })`
  SELECT id FROM decision_event WHERE id = ANY ($ids) AND center_id = ANY ($centerIds)`;

async function existing(client: PoolClient, ids: string[], centerIds: number[]): Promise<Set<string>> {
  const rows = await EXISTING_DECISIONS.rows(client, { ids, centerIds });
  return new Set(rows.map(({ id }) => id));
}

const APPROVALS_OF_EVENTS = sql('approvals_of_events', {
  ...APPROVAL_ROW,
  journalContent: 'text?',
  passkey_since: 'timestamptz?',
})`
  SELECT ${APPROVAL_COLUMNS}, j.content AS "journalContent", (
    SELECT p.created_at FROM passkey p
    WHERE p.credential_id = a.content #>> '{signature,credentialId}') AS passkey_since
  FROM approval a
  LEFT JOIN ledger_chain c ON c.center_id = a.center_id AND c.domain = 'journal'
  LEFT JOIN ledger_record j ON j.chain_id = c.id AND j.index = a.journal_index
  WHERE a.event_id = ANY ($ids) ORDER BY a.created_at, a.journal_index NULLS LAST, a.id`;

/** Earlier approvals with their journal entries. */
async function approvalsOf(client: PoolClient, ids: string[]): Promise<Map<string, BoundApproval[]>> {
  const rows = await APPROVALS_OF_EVENTS.rows(client, { ids });
  const bound = rows.map(({ passkey_since: since, ...row }) => ({
    ...row,
    approval: { ...row.content, ...(since && { passkeySince: since.toISOString() }) },
  }));
  return Map.groupBy(bound, (row) => row.event_id);
}

/** An approval to insert, and the resulting status change. */
export interface ApprovalChange {
  event: Pick<EventRow, 'id' | 'center_id' | 'content'>;
  approval: ApprovalContent;
  salts: Salts;
  contentHash: string;
  from: DecisionEventStatus;
  to: DecisionEventStatus;
  /** For a rejection: its author. */
  author?: KeptAuthor;
  /** The use of the mandate that approved it. */
  mandate?: MandateUse;
}

interface WrittenChange extends ApprovalChange {
  journalIndex: number | null;
}

/** Inserts approvals, updates the status of their events and the counts, in one statement. */
export function approvalsStatement(changes: WrittenChange[]): Statement {
  const counts = sumByKey(
    changes.flatMap(({ event, from, to }) => statusChanged(event.center_id, event.content.type, from, to)),
  );
  return WRITE.with({
    changes: changeColumns.values(changes.map(toColumns)),
    counts: tallyColumns.values(counts),
  });
}

function toColumns({ event, approval, salts, contentHash, to, journalIndex }: WrittenChange) {
  const { passkeySince: _, ...content } = approval;
  return {
    id: approval.id,
    centerId: event.center_id,
    eventId: event.id,
    content,
    salts,
    contentHash,
    journalIndex,
    approvedAt: approval.approvedAt,
    status: to,
  };
}

const changeColumns = recordset<ReturnType<typeof toColumns>>({
  id: 'text',
  centerId: 'int',
  eventId: 'text',
  content: 'jsonb',
  salts: 'json',
  contentHash: 'text',
  journalIndex: 'int',
  approvedAt: 'timestamptz',
  status: 'decision_event_status',
});

const WRITE = sql('write_approvals')`
  WITH draft AS (
    SELECT * FROM ${changeColumns.from('changes')} d
  ), written AS (
    INSERT INTO approval (id, center_id, event_id, content, salts, content_hash, journal_index, created_at)
    SELECT id, "centerId", "eventId", content, salts, "contentHash", "journalIndex", "approvedAt" FROM draft
  ), counted AS (
    INSERT INTO tally_delta (key, delta) SELECT key, delta FROM ${tallyColumns.from('counts')} c
  )
  UPDATE decision_event e SET status = last.status, updated_at = last."approvedAt"
  FROM (SELECT DISTINCT ON ("eventId") * FROM draft ORDER BY "eventId", place DESC) last
  WHERE e.id = last."eventId"`;
