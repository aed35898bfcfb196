// Escalation: if a seat of a quorum is still open at its deadline, members of another group may fill it.
import { countSeats } from '@countersign/proof-kit/quorum';
import { sql } from '../../../db/sql.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId, systemContext } from '../../context.ts';
import { authoredEntry } from '../../ledger/chains/journal.ts';
import { isDue } from '../../policies/seating.ts';
import { authorOf } from '../../principal.ts';
import { transact } from '../../unit-of-work.ts';
import type { ProofApp } from '../decision-context.ts';
import { factsOfRow } from '../read/approvals.ts';
import { findDecisionEvents } from '../read/list-events.ts';
import { quorumsFor } from './seat-approval.ts';
import { type RuledDecision, ruledDecisions } from './seats.ts';

const BATCH = 200;

/** Open decisions under an escalating policy whose deadline may have passed and that have not escalated to its group yet. */
const CANDIDATES = sql(null, { id: 'text', centerId: 'int' })`
  SELECT DISTINCT e.id, e.center_id AS "centerId"
  FROM policy p
  JOIN decision_event e ON e.center_id = p.center_id AND e.status IN ('recorded', 'approved') AND e.id > $after
  WHERE p.active AND p.scope = 'CENTER' AND p.guards ->> 'escalateToGroup' IS NOT NULL
    AND e.created_at <= $now::timestamptz - make_interval(secs => (p.guards ->> 'escalateAfterSeconds')::int)
    AND NOT EXISTS (
      SELECT FROM escalation x WHERE x.event_id = e.id AND x.group_id = p.guards ->> 'escalateToGroup')
  ORDER BY e.id LIMIT ${BATCH}`;

/** Records every decision with seats still open at their deadline. Returns the number of escalations. */
export async function escalateDecisions(app: ProofApp, now: Date = new Date()): Promise<number> {
  const db = app.db.declared('acrossTenants');
  let escalated = 0;
  for (let after = ''; ; ) {
    const rows = await CANDIDATES.rows(db, { after, now: now.toISOString() });
    for (const [centerId, list] of Map.groupBy(rows, (row) => row.centerId)) {
      const ctx = { ...systemContext(app, 'escalation', centerId), now };
      const events = await findDecisionEvents(
        ctx,
        list.map(({ id }) => id),
      );
      for (const decision of await ruledDecisions(ctx, events)) {
        for (const group of dueGroups(decision, now))
          escalated += Number(await escalate(ctx, decision, group));
      }
    }
    if (rows.length < BATCH) return escalated;
    after = rows.at(-1)!.id;
  }
}

/** The groups that may now fill open seats of the decision. */
function dueGroups(decision: RuledDecision, now: Date): string[] {
  const { view, event, rows } = decision;
  if (view.expiresAt !== null && view.expiresAt <= now) return [];
  const quorums = quorumsFor(decision);
  const open = countSeats(quorums, {
    occurredAt: event.occurredAt,
    approvals: rows.map(factsOfRow),
  }).filter(({ isOpen }) => isOpen);
  const groups = quorums.flatMap(({ escalation }, i) =>
    escalation && open.some(({ quorum }) => quorum === i) && isDue(escalation, event.occurredAt, now)
      ? [escalation.group]
      : [],
  );
  return [...new Set(groups)];
}

const LOCK_OPEN_DECISION = sql('lock_open_decision', {})`
  SELECT FROM decision_event WHERE id = $eventId AND status IN ('recorded', 'approved') FOR UPDATE`;

/** Only one process records it, and none after the decision was settled. */
async function escalate(ctx: Context, { event }: RuledDecision, groupId: string): Promise<boolean> {
  const { id: eventId } = event;
  const centerId = currentCenterId(ctx);
  const done = await transact(ctx, async (work) => {
    const [open] = await LOCK_OPEN_DECISION.rows(work.db, { eventId });
    if (!open) return false;
    const { count } = await work.db.escalation.createMany({
      data: [{ eventId, groupId, centerId, escalatedAt: ctx.now }],
      skipDuplicates: true,
    });
    if (count === 0) return false;
    const content = { kind: 'escalated', eventId, group: groupId } as const;
    work.journal(authoredEntry(centerId, eventId, { author: authorOf(ctx.principal), content }));
    return true;
  });
  if (done) announceDecisions(ctx.app.bus, centerId, [eventId]);
  return done;
}
