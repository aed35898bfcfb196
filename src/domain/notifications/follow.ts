// Reads the chains of each center to find decisions that people and chats have not been notified of. This adds no cost to
// recording and approving a decision, and every entry is read once, in commit order.
import { sql } from '../../db/sql.ts';
import { objectOf, parseJson } from '../../lib/json.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { type Context, currentCenterId, type Infrastructure, ownRows, systemContext } from '../context.ts';
import { type NeededApproval, neededApprovals } from './approvers.ts';
import { noteChats, notePeople } from './notices.ts';
import { peopleToMail } from './settings.ts';

/** Entries of a chain that are read for a center in a round. */
const BATCH = 100;
/** The maximum backlog that is read for a center that was not followed before. */
const LOOK_BACK = '1 hour';

const HOUR_MS = 3_600_000;
/** A decision that expires sooner than this after it was recorded gets no reminder. */
const SHORTEST_WAIT_MS = 10 * 60_000;

/** A center may have many due at once. Sealing and planning come first. */
const REMINDER_PRIORITY = 10;

/** Every center is followed. One that existed before this service followed it starts with the entries of the last hour. */
const START = sql('start_following')`
  WITH first AS (
    SELECT o.id AS center_id, greatest(o.created_at, $now::timestamptz - interval '${LOOK_BACK}') AS at FROM center o
    WHERE NOT EXISTS (SELECT FROM notification_position p WHERE p.center_id = o.id)
  ), since AS (
    SELECT center_id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS moment FROM first
  )
  INSERT INTO notification_position (center_id, journal, proof)
  SELECT s.center_id, ${startOf('journal')}, ${startOf('proof')} FROM since s ON CONFLICT DO NOTHING`;

function startOf(domain: 'journal' | 'proof'): string {
  return `coalesce((
    SELECT r.index + 1 FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id
    WHERE c.center_id = s.center_id AND c.domain = '${domain}' AND r.timestamp < s.moment ORDER BY r.index DESC LIMIT 1), 0)`;
}

const BEHIND = sql('centers_behind', {
  centerId: 'int',
  journal: 'int',
  proof: 'int',
  journalSize: 'int',
  proofSize: 'int',
  isOpen: 'boolean',
})`
  SELECT p.center_id AS "centerId", p.journal, p.proof, coalesce(j.size, 0) AS "journalSize", coalesce(f.size, 0) AS "proofSize",
    o.status = 'ACTIVE' AS "isOpen"
  FROM notification_position p
  JOIN center o ON o.id = p.center_id
  LEFT JOIN ledger_chain j ON j.center_id = p.center_id AND j.domain = 'journal'
  LEFT JOIN ledger_chain f ON f.center_id = p.center_id AND f.domain = 'proof'
  WHERE coalesce(j.size, 0) > p.journal OR coalesce(f.size, 0) > p.proof`;

interface Position {
  journal: number;
  proof: number;
}

/** The centers with entries that were not read yet, and the work that reads a batch of them. */
export async function centersToFollow(app: Infrastructure, now: Date) {
  const db = app.db.declared('acrossTenants');
  await START.run(db, { now: now.toISOString() });
  return (await BEHIND.rows(db, {})).map((lag) => ({
    async run() {
      const ctx = { ...systemContext(app, 'notifications', lag.centerId), now };
      if (lag.isOpen) await followCenter(ctx, lag);
      else await advance(ctx, lag, { journal: lag.journalSize, proof: lag.proofSize });
    },
  }));
}

async function followCenter(ctx: Context, from: Position): Promise<void> {
  const { next, journal, sealed } = await nextEntries(ctx, from);
  const ids = (...kinds: string[]) =>
    journal.filter(({ kind }) => kinds.includes(kind)).map(({ eventId }) => eventId);
  const announced = await ofPeople(ctx, [...ids('recorded', 'rejected'), ...sealed]);
  const waits = await ofPeople(ctx, ids('recorded', 'approved', 'escalated'));
  const needed = await neededApprovals(
    ctx,
    waits.filter(({ open }) => open).map(({ id }) => id),
  );
  const recorded = new Set(ids('recorded'));
  await advance(ctx, from, next, {
    waiting: announced.filter(({ id, open }) => open && recorded.has(id)).map(({ id }) => id),
    decided: announced.filter(({ open }) => !open).map(({ id }) => id),
    needed,
  });
}

interface Entries {
  next: Position;
  journal: { kind: string; eventId: string }[];
  /** Sealed decisions. */
  sealed: string[];
}

const JOURNAL_TO_NOTIFY_OF = sql('journal_to_notify_of', { index: 'int', content: 'text' })`
  SELECT r.index, r.content FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id AND r.index >= $journal
  WHERE c.center_id = $centerId AND c.domain = 'journal' ORDER BY r.index LIMIT ${BATCH}`;

const SEALS_TO_NOTIFY_OF = sql('seals_to_notify_of', { index: 'int', eventId: 'text?' })`
  SELECT r.index, e.id AS "eventId" FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id AND r.index >= $proof
  LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index
  LEFT JOIN decision_event e ON e.dpu_id = d.id
  WHERE c.center_id = $centerId AND c.domain = 'proof' ORDER BY r.index LIMIT ${BATCH}`;

async function nextEntries(ctx: Context, { journal, proof }: Position): Promise<Entries> {
  const db = ownRows(ctx);
  const entries = await JOURNAL_TO_NOTIFY_OF.rows(db, { journal, centerId: currentCenterId(ctx) });
  const seals = await SEALS_TO_NOTIFY_OF.rows(db, { proof, centerId: currentCenterId(ctx) });
  return {
    next: {
      journal: (entries.at(-1)?.index ?? journal - 1) + 1,
      proof: (seals.at(-1)?.index ?? proof - 1) + 1,
    },
    journal: entries.flatMap(({ content }) => decisionMentioned(content)),
    sealed: seals.flatMap(({ eventId }) => eventId ?? []),
  };
}

/** An altered record is reported by verification and is no reason to stop here. */
function decisionMentioned(content: string): Entries['journal'] {
  const { kind, eventId } = objectOf(parseJson(content));
  return typeof eventId === 'string' ? [{ kind: String(kind), eventId }] : [];
}

const DECISIONS_OF_PEOPLE = sql('decisions_of_people', { id: 'text', open: 'boolean' })`
  SELECT id, status IN ('recorded', 'approved') AS open FROM decision_event
  WHERE id = ANY ($ids) AND center_id = $centerId AND (source <> 'AGENT' OR awaits_approval)`;

/** The given decisions that people decide. Those that the service seals by itself are not announced. */
async function ofPeople(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return DECISIONS_OF_PEOPLE.rows(ownRows(ctx), { ids: [...new Set(ids)], centerId: currentCenterId(ctx) });
}

interface Notices {
  waiting: string[];
  decided: string[];
  needed: NeededApproval[];
}

const MOVE_ON = sql('move_notification_position')`
  UPDATE notification_position SET journal = $journal, proof = $proof
  WHERE center_id = $centerId AND journal = $fromJournal AND proof = $fromProof`;

/** Advances the position and writes the notices, or neither, if another process was faster. */
async function advance(ctx: Context, from: Position, to: Position, notices?: Notices): Promise<void> {
  const needed = await wantedNow(ctx, notices?.needed ?? []);
  await ctx.app.db.declared([currentCenterId(ctx)]).transaction(async (client) => {
    const moved = await MOVE_ON.run(client, {
      centerId: currentCenterId(ctx),
      fromJournal: from.journal,
      fromProof: from.proof,
      journal: to.journal,
      proof: to.proof,
    });
    if (moved === 0 || !notices) return;
    await noteChats(client, ctx, 'WAITING', notices.waiting);
    await noteChats(client, ctx, 'DECIDED', notices.decided);
    await notePeople(client, ctx, 'WAITING', needed);
    for (const needed of notices.needed) {
      const runAt = remindAt(needed);
      if (runAt === null || runAt <= ctx.now) continue;
      const payload = {
        centerId: currentCenterId(ctx),
        eventId: needed.eventId,
        occasion: 'REMINDER',
      } as const;
      const options = { runAt, key: `remind:${needed.eventId}`, priority: REMINDER_PRIORITY };
      await enqueue(client, 'remind_approvers', payload, options);
    }
  });
}

/** When a quarter of the time is left, but at most an hour before the deadline. */
function remindAt({ occurredAt, expiresAt }: NeededApproval): Date | null {
  const total = expiresAt === null ? 0 : expiresAt.getTime() - occurredAt.getTime();
  if (expiresAt === null || total < SHORTEST_WAIT_MS) return null;
  return new Date(expiresAt.getTime() - Math.min(HOUR_MS, total / 4));
}

/**
 * Notifies the people who can decide a decision now, except those already notified on this occasion. `WAITING` also announces it
 * in chats.
 */
export async function noteApprovers(
  app: Infrastructure,
  { centerId, eventId, occasion }: { centerId: number; eventId: string; occasion: 'WAITING' | 'REMINDER' },
  now: Date,
): Promise<void> {
  const ctx = { ...systemContext(app, 'notifications', centerId), now };
  const needed = await wantedNow(ctx, await neededApprovals(ctx, [eventId]));
  await app.db.declared([centerId]).transaction(async (client) => {
    if (occasion === 'WAITING') await noteChats(client, ctx, occasion, [eventId]);
    await notePeople(client, ctx, occasion, needed);
  });
}

/** Without the people who want no mail at once. */
async function wantedNow({ app }: Context, needed: readonly NeededApproval[]): Promise<NeededApproval[]> {
  const people = await peopleToMail(app, [...new Set(needed.flatMap(({ actorIds }) => actorIds))]);
  return needed.map((each) => ({ ...each, actorIds: each.actorIds.filter((id) => people.has(id)) }));
}
