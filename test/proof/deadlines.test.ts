/** Expiry and escalation beside tenants that have many decisions waiting, or broken ones. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { meetDeadlines, planEscalations } from '../../src/domain/decisions/approve/deadlines.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { CREATE_POLICY, type QuorumStage, quorumStage } from './quorum-stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;
const travel = (milliseconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

const escalationsOf = ({ center }: QuorumStage) =>
  running.app.db.forCenter(center.id).escalation.findMany({ orderBy: { escalatedAt: 'asc' } });

/** A center with a policy that escalates after a minute; returns the action type that it covers. */
async function escalatingStage() {
  const stage = await quorumStage(running);
  const [finance, board] = [await stage.group(await stage.member()), await stage.group(await stage.member())];
  const guards = {
    quorum: [{ group: finance, count: 1 }],
    escalateAfterSeconds: 60,
    escalateToGroup: board,
  };
  return { stage, finance, board, guards, type: await stage.ruled(guards) };
}

/** Copies of a decision, as rows that only readers see. */
async function copies(eventId: string, count: number): Promise<void> {
  await running.superuser.query(
    `INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, source, status, awaits_approval, content, salts, content_hash,
       journal_index, by_kind, by_id, by_salt, expires_at, due_at, created_at)
     SELECT left(id, 20) || lpad(n::text, 10, '0'), center_id, evidence_id || n, dpu_id || n, source, status, awaits_approval,
       jsonb_set(content, '{id}', to_jsonb(left(id, 20) || lpad(n::text, 10, '0'))), salts, content_hash,
       journal_index, by_kind, by_id, by_salt, expires_at, due_at, created_at
     FROM decision_event, generate_series(1, $2::int) n WHERE id = $1`,
    [eventId, count],
  );
}

test('a thousand escalations of one center delay those of another by a share of them', async () => {
  const crowded = await escalatingStage();
  const neighbor = await escalatingStage();
  const first = await crowded.stage.recordAction(crowded.type);
  await copies(first.id, 1_000);
  const own = await neighbor.stage.recordAction(neighbor.type);
  travel(2 * MINUTE_MS);
  await eventually(async () => {
    await meetDeadlines(running.app);
    return (await escalationsOf(crowded.stage)).length === 1_001;
  });
  const [escalated] = await escalationsOf(neighbor.stage);
  expect(escalated).toMatchObject({ eventId: own.id, groupId: neighbor.board });
  // Whichever center a round begins with, the transactions before that of the neighbor are those of one round.
  const { rows } = await running.superuser.query<{ center_id: number; count: number }>(
    `SELECT center_id, count(*)::int AS count FROM escalation WHERE center_id = ANY ($1)
     GROUP BY center_id, xmin ORDER BY xmin::text::bigint`,
    [[crowded.stage.center.id, neighbor.stage.center.id]],
  );
  expect(rows.findIndex(({ center_id: id }) => id === neighbor.stage.center.id)).toBeLessThan(2);
  expect(Math.max(...rows.map(({ count }) => count))).toBeLessThan(50);
});

test('a decision that no escalating policy covers is looked at once', async () => {
  const { stage } = await escalatingStage();
  const event = await stage.recordAction('uncovered.action');
  const dueAt = async () =>
    (
      await running.app.db
        .forCenter(stage.center.id)
        .decisionEvent.findUniqueOrThrow({ where: { id: event.id } })
    ).dueAt;
  expect(await dueAt()).not.toBeNull();
  travel(2 * MINUTE_MS);
  await meetDeadlines(running.app);
  expect(await dueAt()).toBeNull();
  expect(await escalationsOf(stage)).toEqual([]);
});

test('a policy that is created or changed later escalates decisions that wait already', async () => {
  const { stage, guards, board } = await escalatingStage();
  const early = await stage.recordAction('later.ruled');
  travel(2 * MINUTE_MS);
  await meetDeadlines(running.app);
  expect(await escalationsOf(stage)).toEqual([]);
  const input = { scope: 'CENTER', name: 'Later', actionPattern: 'later.*', guards };
  const { id } = await stage.ask(CREATE_POLICY, { input });
  const { rows } = await running.superuser.query(
    `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'plan_escalations' AND key = $1`,
    [`plan_escalations:${stage.center.id}`],
  );
  expect(rows).toHaveLength(1);
  await planEscalations(running.app, stage.center.id);
  await meetDeadlines(running.app);
  expect(await escalationsOf(stage)).toMatchObject([{ eventId: early.id, groupId: board }]);
  // A second group, later: the decision is due again.
  const other = await stage.group(await stage.member());
  const update = 'mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }';
  const changed = { ...guards, escalateAfterSeconds: 600, escalateToGroup: other };
  await stage.ask(update, { input: { id, guards: changed } });
  await planEscalations(running.app, stage.center.id);
  await meetDeadlines(running.app);
  expect(await escalationsOf(stage)).toHaveLength(1);
  travel(12 * MINUTE_MS);
  await meetDeadlines(running.app);
  expect((await escalationsOf(stage)).map(({ groupId }) => groupId)).toEqual([board, other]);
});

test('the worker plans and escalates after a change of a policy', async () => {
  const worker = await startTestApp({ worker: true });
  try {
    const stage = await quorumStage(worker);
    const event = await stage.recordAction('worker.ruled');
    const { superuser, app } = worker;
    await superuser.query('ALTER TABLE decision_event DISABLE TRIGGER ALL');
    await superuser.query(
      `UPDATE decision_event SET created_at = $2::text::timestamptz, content = jsonb_set(content, '{occurredAt}', to_jsonb($2::text))
       WHERE id = $1`,
      [event.id, new Date(Date.now() - 2 * MINUTE_MS).toISOString()],
    );
    await superuser.query('ALTER TABLE decision_event ENABLE TRIGGER ALL');
    const [finance, board] = [
      await stage.group(await stage.member()),
      await stage.group(await stage.member()),
    ];
    const guards = {
      quorum: [{ group: finance, count: 1 }],
      escalateAfterSeconds: 60,
      escalateToGroup: board,
    };
    const input = { scope: 'CENTER', name: 'By worker', actionPattern: 'worker.*', guards };
    await stage.ask(CREATE_POLICY, { input });
    // Repeated every five seconds from then on, as after the first minute of a worker.
    await superuser.query(`SELECT graphile_worker.add_job('meet_deadlines')`);
    const escalated = { where: { eventId: event.id, groupId: board } };
    await eventually(async () => (await app.db.forCenter(stage.center.id).escalation.count(escalated)) === 1);
  } finally {
    await worker.close();
  }
}, 120_000);

test('decisions that cannot be rejected do not keep others waiting', async () => {
  const stage = await quorumStage(running);
  const decide = async () => {
    const { body } = await stage.post('/agents/decide', {
      agent: { id: 'agent-1' },
      action: { type: 'refund.grant', input: {} },
      riskScore: 0.95,
      expiresInSeconds: 60,
    });
    return body.data.eventId as string;
  };
  const broken = await decide();
  // The copies do not match their journal entry.
  await copies(broken, 60);
  const sound = await decide();
  travel(2 * MINUTE_MS);
  const status = async (id: string) =>
    (await running.app.db.forCenter(stage.center.id).decisionEvent.findUniqueOrThrow({ where: { id } }))
      .status;
  await eventually(async () => {
    await meetDeadlines(running.app);
    return (await status(sound)) === 'rejected';
  });
  const { rows } = await running.superuser.query(
    `SELECT FROM decision_event WHERE center_id = $1 AND status = 'recorded' AND due_at <= $2`,
    [stage.center.id, new Date()],
  );
  expect(rows).toEqual([]);
});
