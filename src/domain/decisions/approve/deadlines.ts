// The deadlines of decisions that wait: their expiry, and the time after which a policy of their center escalates open seats.
//
// `due_at` is the next of them, written with the decision and indexed by center while it waits. The pass (fair-pass.ts) takes
// the decisions that are due, rejects those that have expired, evaluates the others (escalate.ts), and writes when each is due
// next. A decision that escalates to no further group is next due when it expires.
//
// The escalation time written with a decision is that of the shortest policy of its center, so a decision that no escalating
// policy covers is looked at once. A change of a policy queues the job `plan_escalations`, which writes it anew for the center's
// waiting decisions. A decision that is recorded meanwhile is not missed: the statement that records it holds the head of the
// center's journal, which the change and the job lock too.
//
// If the process dies, what it has not done is still due. A decision whose rejection fails is due again a minute later.

import { isDatabaseDown } from '../../../db/faults.ts';
import { sql } from '../../../db/sql.ts';
import { type Context, currentCenterId, systemContext } from '../../context.ts';
import { runFairPass } from '../../fair-pass.ts';
import { escalatesAfterSql } from '../../policies/escalation-time.ts';
import type { ProofApp } from '../decision-context.ts';
import { escalateDue } from './escalate.ts';
import { expireDecision } from './system-rejection.ts';

/** The share of a center in a round. */
const SHARE = 25;
const RETRY_MS = 60_000;
/** Decisions that a statement of the plan updates. */
const PAGE = 500;

/** As in the index. */
const WAITS = `status IN ('recorded', 'approved') AND due_at IS NOT NULL`;

/** Skips from center to center in the index. */
const DUE = sql('due_decisions', { id: 'text', centerId: 'int', isExpired: 'boolean' })`
  WITH RECURSIVE waiting AS (
    (SELECT center_id FROM decision_event WHERE ${WAITS} ORDER BY center_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.center_id FROM decision_event e WHERE ${WAITS} AND e.center_id > w.center_id ORDER BY e.center_id LIMIT 1)
    FROM waiting w WHERE w.center_id IS NOT NULL
  )
  SELECT d.id, w.center_id AS "centerId", coalesce(d.expires_at <= $now, false) AS "isExpired"
  FROM waiting w CROSS JOIN LATERAL (
    SELECT id, expires_at FROM decision_event e
    WHERE e.center_id = w.center_id AND ${WAITS} AND e.due_at <= $now ORDER BY e.due_at LIMIT ${SHARE}) d`;

/** Rejects decisions that have expired, and escalates open seats whose time has come. Returns whether no other process does. */
export async function meetDeadlines(app: ProofApp): Promise<boolean> {
  const db = app.db.declared('acrossTenants');
  return runFairPass(app, 'deadlines', async () => {
    const rows = await DUE.rows(db, { now: new Date() });
    return [...Map.groupBy(rows, ({ centerId }) => centerId)].map(([centerId, due]) => ({
      run: () => meetThese(app, centerId, due),
    }));
  });
}

interface DueDecision {
  id: string;
  isExpired: boolean;
}

async function meetThese(app: ProofApp, centerId: number, due: DueDecision[]): Promise<void> {
  const [expired, waiting] = [true, false].map((isExpired) =>
    due.filter((each) => each.isExpired === isExpired).map(({ id }) => id),
  ) as [string[], string[]];
  const expiry = systemContext(app, 'expiry', centerId);
  // Together, so that they share commits.
  await Promise.all(expired.map((id) => orRetryLater(expiry, id, () => expireDecision(expiry, id))));
  const escalation = systemContext(app, 'escalation', centerId);
  try {
    await escalateDue(escalation, waiting);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    for (const id of waiting) await orRetryLater(escalation, id, () => escalateDue(escalation, [id]));
  }
}

const POSTPONE = sql('postpone_deadline')`
  UPDATE decision_event SET due_at = $dueAt WHERE id = $id AND center_id = $centerId AND due_at <= $now`;

/** A failure of one decision must not stop the others. */
async function orRetryLater(ctx: Context, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    ctx.app.log.warn({ err: error, decision: id }, 'could not meet the deadline of a decision');
    const centerId = currentCenterId(ctx);
    const dueAt = new Date(ctx.now.getTime() + RETRY_MS);
    await POSTPONE.run(ctx.app.db.declared([centerId]), { id, dueAt, now: ctx.now, centerId });
  }
}

const ESCALATES = sql('center_escalates', { escalates: 'boolean' })`
  SELECT ${escalatesAfterSql('$centerId::int')} IS NOT NULL AS escalates`;
/** Waits for statements that record decisions and may not have seen the change of a policy. */
const AWAIT_RECORDINGS = sql('await_recordings')`
  SELECT FROM ledger_chain WHERE center_id = $centerId AND domain = 'journal' FOR UPDATE`;
const PLAN_PAGE = sql('plan_escalations', { last: 'text?' })`
  WITH page AS MATERIALIZED (
    SELECT id, least(due_at, created_at + ${escalatesAfterSql('$centerId::int')}) AS due_at FROM decision_event
    WHERE center_id = $centerId AND status IN ('recorded', 'approved') AND (source <> 'AGENT' OR awaits_approval) AND id > $after
    ORDER BY id LIMIT ${PAGE} FOR NO KEY UPDATE
  ), planned AS (
    UPDATE decision_event e SET due_at = p.due_at FROM page p WHERE e.id = p.id AND e.due_at IS DISTINCT FROM p.due_at
  )
  SELECT max(id) AS last FROM page HAVING count(*) = ${PAGE}`;

/** Writes the escalation times of all waiting decisions of a center anew, after one of its policies changed. */
export async function planEscalations(app: ProofApp, centerId: number): Promise<void> {
  const db = app.db.declared([centerId]);
  await AWAIT_RECORDINGS.run(db, { centerId });
  const [rule] = await ESCALATES.rows(db, { centerId });
  let after: string | null | undefined = rule!.escalates ? '' : null;
  while (after != null) {
    const [page]: { last: string | null }[] = await PLAN_PAGE.rows(db, { centerId, after });
    after = page?.last;
  }
}
