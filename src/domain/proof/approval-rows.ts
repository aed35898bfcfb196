import type { PoolClient } from '../../db/database.ts';
import type { ApprovalResult, ApproverType, DecisionEventStatus } from '../../db/generated/prisma/enums.ts';
import { changeTallies } from '../tallies/tally.ts';
import type { ApprovalContent } from './content.ts';
import { statusMove } from './counts.ts';
import { EVENT_COLUMNS, EVENT_SOURCE, type EventRow } from './row.ts';
import { type BoundApproval, type OpenDecision, openDecision } from './weigh.ts';

interface ApprovalRow {
  id: string;
  event_id: string;
  approver_id: string;
  approver_type: ApproverType;
  approver_name: string | null;
  result: ApprovalResult;
  reason: string | null;
  content_hash: string;
  created_at: Date;
}

/** Decisions of a center with their approvals, locked until the end of the transaction, by id. */
export async function lockDecisions(
  client: PoolClient,
  centerId: number,
  ids: string[],
): Promise<Map<string, OpenDecision>> {
  const events = await client.query<EventRow>({
    name: 'lock_decision_events',
    text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE}
           WHERE e.center_id = $1 AND e.id = ANY ($2) ORDER BY e.id FOR UPDATE OF e`,
    values: [centerId, ids],
  });
  const approvals = await client.query<ApprovalRow>({
    name: 'approvals_of_events',
    text: 'SELECT * FROM approval WHERE center_id = $1 AND event_id = ANY ($2) ORDER BY id',
    values: [centerId, ids],
  });
  const byEvent = Map.groupBy(approvals.rows, (row) => row.event_id);
  return new Map(
    events.rows.map((row) => [row.id, openDecision(row, (byEvent.get(row.id) ?? []).map(toBound))]),
  );
}

function toBound(row: ApprovalRow): BoundApproval {
  return {
    contentHash: row.content_hash,
    approval: {
      id: row.id,
      approver: {
        id: row.approver_id,
        type: row.approver_type,
        ...(row.approver_name !== null && { name: row.approver_name }),
      },
      result: row.result,
      ...(row.reason !== null && { reason: row.reason }),
      approvedAt: row.created_at.toISOString(),
    },
  };
}

/** An approval to write, and the move that it brings. */
export interface ApprovalMove {
  event: Pick<EventRow, 'id' | 'center_id' | 'decision_id' | 'type'>;
  approval: ApprovalContent;
  contentHash: string;
  from: DecisionEventStatus;
  to: DecisionEventStatus;
}

/** Writes approvals, moves their events and brings the counts up to date, whatever their number. */
export async function writeApprovals(client: PoolClient, moves: ApprovalMove[]): Promise<void> {
  const rows = moves.map(({ event, approval, contentHash, to }, order) => ({
    ...approval,
    approverId: approval.approver.id,
    approverType: approval.approver.type,
    approverName: approval.approver.name,
    centerId: event.center_id,
    eventId: event.id,
    contentHash,
    status: to,
    order,
  }));
  await client.query({
    name: 'write_approvals',
    text: `
      WITH draft AS (
        SELECT * FROM json_to_recordset($1::json) AS d(
          id text, "centerId" int, "eventId" text, "approverId" text, "approverType" approver_type,
          "approverName" text, result approval_result, reason text, "contentHash" text, "approvedAt" timestamptz,
          status decision_event_status, "order" int)
      ), written AS (
        INSERT INTO approval (id, center_id, event_id, approver_id, approver_type, approver_name, result, reason,
                              content_hash, created_at)
        SELECT id, "centerId", "eventId", "approverId", "approverType", "approverName", result, reason,
               "contentHash", "approvedAt" FROM draft
      )
      UPDATE decision_event e SET status = last.status, updated_at = last."approvedAt"
      FROM (SELECT DISTINCT ON ("eventId") * FROM draft ORDER BY "eventId", "order" DESC) last
      WHERE e.id = last."eventId"`,
    values: [JSON.stringify(rows)],
  });
  await changeTallies(
    client,
    moves.flatMap(({ event, from, to }) => statusMove(event.center_id, event.type, from, to)),
  );
}
