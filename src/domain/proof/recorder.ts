import type { Bus } from '../../db/bus.ts';
import type { Pool } from '../../db/database.ts';
import { isOutOfReach } from '../../db/faults.ts';
import type { DecisionSource } from '../../db/generated/prisma/enums.ts';
import type { Sql } from '../../db/sql.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { carriedOutSql, type IdempotencyClaim } from '../idempotency/claim.ts';
import type { EventContent } from './content.ts';
import { announceDecisions } from './topic.ts';

/** An event ready to be written. */
export interface EventDraft {
  centerId: number;
  evidenceId: string;
  dpuId: string;
  source: DecisionSource;
  idempotencyKey: string | null;
  bodyHash: string | null;
  event: EventContent;
  riskScore: number | null;
  awaitsApproval: boolean;
  contentHash: string;
  /** The caller's Idempotency-Key, marked as carried out together with the event. */
  claim: IdempotencyClaim | null;
}

/** Writes an event; false when its idempotency key has one already. */
export type Recorder = (draft: EventDraft) => Promise<boolean>;

const MOST_TOGETHER = 100;

export function makeRecorder(pool: Pool, bus: Bus): Recorder {
  const write = async (drafts: EventDraft[]): Promise<boolean[]> => {
    const rows: Sql['rows'] = async (statement) => (await pool.query(statement)).rows;
    const written = await insertEvents(rows, drafts);
    for (const [centerId, fresh] of Map.groupBy(
      drafts.filter(({ event }) => written.has(event.id)),
      (draft) => draft.centerId,
    )) {
      announceDecisions(
        bus,
        centerId,
        fresh.map(({ event }) => event.id),
      );
    }
    return drafts.map(({ event }) => written.has(event.id));
  };
  return makeBatcher(write, {
    most: MOST_TOGETHER,
    // Two at once would wait for each other at the counts of their center.
    concurrency: 1,
    retryAlone: (error) => !isOutOfReach(error),
  });
}

const CLAIMED = `, claimed AS (
        ${carriedOutSql('draft d', 'd', 'd."occurredAt"')}
      )`;

/** The ids that were inserted: one statement for all drafts, their counts and their idempotency claims. */
export async function insertEvents(query: Sql['rows'], drafts: EventDraft[]): Promise<Set<string>> {
  // Always in the same order of keys, so that two batches never wait for each other crosswise.
  const ordered = drafts.toSorted((a, b) => compare(a.idempotencyKey ?? '', b.idempotencyKey ?? ''));
  const claims = drafts.some(({ claim }) => claim !== null);
  const rows = await query<{ id: string }>({
    name: claims ? 'record_decision_events_with_claims' : 'record_decision_events',
    text: `
      WITH draft AS (
        SELECT * FROM json_to_recordset($1::json) AS d(
          id text, "centerId" int, "decisionId" text, "evidenceId" text, "dpuId" text, source decision_source,
          "idempotencyKey" text, "bodyHash" text, type decision_event_type, "actorId" text,
          "actorType" event_actor_type, "actorName" text, "actionType" text, "actionDescription" text,
          "actionInput" json, "actionOutput" json, "aiContext" json, "riskScore" float8, "awaitsApproval" boolean, tags text[],
          "contentHash" text, "occurredAt" timestamptz, principal text, key text)
      ), inserted AS (
        INSERT INTO decision_event (id, center_id, decision_id, evidence_id, dpu_id, source, idempotency_key,
          body_hash, type, actor_id, actor_type, actor_name, action_type, action_description, action_input,
          action_output, ai_context, risk_score, awaits_approval, tags, content_hash, occurred_at, created_at, updated_at)
        SELECT id, "centerId", "decisionId", "evidenceId", "dpuId", source, "idempotencyKey", "bodyHash", type,
          "actorId", "actorType", "actorName", "actionType", "actionDescription", "actionInput", "actionOutput",
          "aiContext", "riskScore", "awaitsApproval", tags, "contentHash", "occurredAt", "occurredAt", "occurredAt"
        FROM draft
        ON CONFLICT (center_id, source, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
        RETURNING id, center_id, type, status
      ), counted AS (
        INSERT INTO tally AS t (key, total)
        SELECT 'events:' || center_id || ':' || type || ':' || status AS key, count(*)
        FROM inserted GROUP BY 1 ORDER BY 1
        ON CONFLICT (key) DO UPDATE SET total = t.total + excluded.total
      )${claims ? CLAIMED : ''}
      SELECT id FROM inserted`,
    values: [JSON.stringify(ordered.map(toColumns))],
  });
  return new Set(rows.map(({ id }) => id));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function toColumns({ event, claim, ...draft }: EventDraft) {
  return {
    ...draft,
    id: event.id,
    decisionId: event.decisionId,
    type: event.type,
    actorId: event.actor.id,
    actorType: event.actor.type,
    actorName: event.actor.name,
    actionType: event.action.type,
    actionDescription: event.action.description,
    actionInput: event.action.input,
    actionOutput: event.action.output,
    aiContext: event.aiContext,
    tags: event.tags,
    occurredAt: event.occurredAt,
    principal: claim?.principal,
    key: claim?.key,
  };
}
