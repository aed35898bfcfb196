// Escalation: if a seat of a quorum is still open at its deadline, members of another group may fill it.
import { countSeats } from '@countersign/proof-kit/quorum';
import { recordset } from '../../../db/recordset.ts';
import { sql } from '../../../db/sql.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { authoredEntry } from '../../ledger/chains/journal.ts';
import { isDue } from '../../policies/entitlements.ts';
import { authorOf } from '../../principal.ts';
import { transact } from '../../unit-of-work.ts';
import { factsOfRow } from '../read/approvals.ts';
import { findDecisionEvents } from '../read/list-events.ts';
import { quorumsFor } from './seat-approval.ts';
import { type RuledDecision, ruledDecisions } from './seats.ts';

interface Escalations {
  id: string;
  /** The groups that may now fill open seats. */
  groups: string[];
  /** When the next group may. Null if there is none. */
  nextAt: Date | null;
}

/** Records which groups may now fill open seats of these decisions, and when each decision is due next. */
export async function escalateDue(ctx: Context, ids: readonly string[]): Promise<void> {
  const decisions = await ruledDecisions(ctx, await findDecisionEvents(ctx, ids));
  await write(
    ctx,
    decisions.map((decision) => escalationsOf(decision, ctx.now)),
  );
}

function escalationsOf(decision: RuledDecision, now: Date): Escalations {
  const { event, rows } = decision;
  const quorums = quorumsFor(decision);
  const open = countSeats(quorums, {
    occurredAt: event.occurredAt,
    approvals: rows.map(factsOfRow),
  }).filter(({ isOpen }) => isOpen);
  const escalating = quorums.flatMap(({ escalation }, i) =>
    escalation && open.some(({ quorum }) => quorum === i) ? [escalation] : [],
  );
  const [due, later] = [true, false].map((wanted) =>
    escalating.filter((escalation) => isDue(escalation, event.occurredAt, now) === wanted),
  ) as [typeof escalating, typeof escalating];
  const next = Math.min(...later.map(({ afterSeconds }) => afterSeconds));
  return {
    id: event.id,
    groups: [...new Set(due.map(({ group }) => group))],
    nextAt: later.length > 0 ? new Date(Date.parse(event.occurredAt) + next * 1_000) : null,
  };
}

/** Locked in the order of ids, like approvals that wait. */
const LOCK_WAITING = sql('lock_waiting_decisions', { id: 'text' })`
  SELECT id FROM decision_event WHERE id = ANY ($ids) AND status IN ('recorded', 'approved') ORDER BY id FOR UPDATE`;

const pairColumns = recordset<{ eventId: string; groupId: string }>({ eventId: 'text', groupId: 'text' });
const ESCALATE = sql('escalate', { eventId: 'text', groupId: 'text' })`
  INSERT INTO escalation (event_id, group_id, center_id, escalated_at)
  SELECT p."eventId", p."groupId", $centerId, $now FROM ${pairColumns.from('pairs')} p
  ON CONFLICT DO NOTHING RETURNING event_id AS "eventId", group_id AS "groupId"`;

const dueColumns = recordset<{ id: string; nextAt: string | null }>({ id: 'text', nextAt: 'timestamptz' });
const WRITE_NEXT = sql('write_next_deadline')`
  UPDATE decision_event e SET due_at = least(e.expires_at, n."nextAt") FROM ${dueColumns.from('next')} n WHERE e.id = n.id`;

/** Each escalation is recorded once, and none after its decision was settled. */
async function write(ctx: Context, all: Escalations[]): Promise<void> {
  const centerId = currentCenterId(ctx);
  const escalated = await transact(ctx, async (work) => {
    const locked = await LOCK_WAITING.rows(work.db, { ids: all.map(({ id }) => id) });
    const waiting = new Set(locked.map(({ id }) => id));
    const found = all.filter(({ id }) => waiting.has(id));
    const next = found.map(({ id, nextAt }) => ({ id, nextAt: nextAt?.toISOString() ?? null }));
    await WRITE_NEXT.run(work.db, { next: dueColumns.values(next) });
    const pairs = found.flatMap(({ id, groups }) => groups.map((groupId) => ({ eventId: id, groupId })));
    if (pairs.length === 0) return [];
    const rows = await ESCALATE.rows(work.db, { pairs: pairColumns.values(pairs), centerId, now: ctx.now });
    for (const { eventId, groupId: group } of rows) {
      const content = { kind: 'escalated', eventId, group } as const;
      work.journal(authoredEntry(centerId, eventId, { author: authorOf(ctx.principal), content }));
    }
    return rows.map(({ eventId }) => eventId);
  });
  announceDecisions(ctx.app.bus, centerId, [...new Set(escalated)]);
}
