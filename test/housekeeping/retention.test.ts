import { expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { deleteOldEvents } from '../../src/domain/housekeeping/retention.ts';
import { sweep } from '../../src/domain/housekeeping/sweep.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { cronItems } from '../../src/jobs/handlers.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { statementsOf } from '../helpers/explained.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';
import { consumer } from '../webhooks/consumer.ts';
import { deliveriesOf, deliveryBecomes, emitEvent, subscribe } from '../webhooks/stage.ts';
import { makeWorkflow, reaches } from '../workflows/steps.ts';

const env = { RETENTION_DAYS: '30', WEBHOOK_RETRY_DELAYS: '0,36000' };

/** Runs the job like the timer and waits until it is done. */
async function forget({ app }: TestApp): Promise<void> {
  const ctx = systemContext(app, 'test', null);
  await transact.acrossTenants(ctx, async (work) => work.enqueue('forget_old_events', {}));
  await eventually(async () => {
    const { rows } = await app.db.pool.query(
      `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'forget_old_events'`,
    );
    return rows.length === 0;
  });
}

/** Moves an event and its attempts this many days into the past. */
async function age({ database }: TestApp, eventId: string, days: number): Promise<void> {
  const back = days * 86_400;
  for (const [table, id, columns] of [
    ['platform_event', 'id', ['created_at']],
    ['delivery', 'event_id', ['created_at', 'last_attempt_at']],
  ] as const) {
    const moves = columns.map((column) => `${column} = ${column} - $2 * interval '1 second'`);
    await runAs(database.adminUrl, `UPDATE ${table} SET ${moves.join(', ')} WHERE ${id} = $1`, [
      eventId,
      back,
    ]);
  }
}

async function eventIds({ graphql }: TestApp, token: string): Promise<string[]> {
  const { data } = await graphql('{ events(first: 50) { edges { node { id } } } }', {}, token);
  return data.events.edges.map(({ node }: { node: { id: string } }) => node.id).toSorted();
}

const idsOf = (deliveries: Parsed[]) => deliveries.map(({ eventId }) => eventId).toSorted();

test('the worker schedules the cleanup every hour', () => {
  expect(cronItems().filter(({ task }) => task === 'forget_old_events')).toHaveLength(1);
});

test('old delivered events are deleted; due and recent events and evidence stay', async () => {
  const running = await testApp({ worker: true, env });
  const { app, call } = running;
  const { center, key, token, record, approve, events } = await proofStage(running);
  const { url } = await consumer(({ path }, response) =>
    response.writeHead(path.endsWith('fail') ? 500 : 200).end(),
  );
  const good = await subscribe(running, key, `${url}/ok`);
  const bad = await subscribe(running, key, `${url}/fail`, ['payment.*']);
  const gone = await subscribe(running, key, `${url}/ok`, ['certificate.*']);

  await approve((await record()).id);
  const sealed = (await events('dpu.sealed'))[0]!.id;
  const waiting = await emitEvent(app, center.id, 'payment.completed');
  const resent = await emitEvent(app, center.id, 'attendance.verified');
  const recent = await emitEvent(app, center.id, 'attendance.verified');
  const ofDeleted = await emitEvent(app, center.id, 'certificate.issued');
  for (const id of [good.id, bad.id, gone.id]) {
    await deliveryBecomes(running, key, id, () => true);
  }
  await eventually(async () => (await deliveriesOf(running, key, good.id)).length === 5);
  await call('DELETE', `/v1/webhooks/${gone.id}`, { token: key });
  for (const id of [sealed, waiting, resent, ofDeleted]) await age(running, id, 31);
  await age(running, recent, 29);
  await runAs(
    running.database.adminUrl,
    `UPDATE webhook SET deleted_at = now() - interval '31 days' WHERE id = $1`,
    [gone.id],
  );
  expect((await call('POST', `/v1/webhooks/events/${resent}/retry`, { token: key })).status).toBe(200);
  await eventually(async () => {
    const found = (await deliveriesOf(running, key, good.id)).find(
      ({ eventId }: { eventId: string }) => eventId === resent,
    );
    return found.attempts === 2;
  });

  await forget(running);

  expect(await eventIds(running, token)).toEqual([waiting, resent, recent].toSorted());
  expect(idsOf(await deliveriesOf(running, key, good.id))).toEqual([resent, recent].toSorted());
  expect(await deliveriesOf(running, key, bad.id)).toMatchObject([
    { eventId: waiting, status: 'failed', nextRetryAt: expect.any(String) },
  ]);
  expect((await call('POST', `/v1/webhooks/events/${sealed}/retry`, { token: key })).status).toBe(404);
  expect((await call('POST', `/v1/webhooks/events/${waiting}/retry`, { token: key })).status).toBe(200);
  expect(await app.db.acrossTenants.webhook.findUnique({ where: { id: gone.id } })).toBeNull();

  // Everything the event was about still exists, including counts.
  const list = await call('GET', '/v1/decision-events?status=sealed', { token: key });
  expect([list.body.pagination.total, list.body.data.length]).toEqual([1, 1]);
  expect((await call('GET', '/dpu/verify-chain', { token })).body.data).toMatchObject({ valid: true });
});

test('RETENTION_DAYS=0 deletes nothing', async () => {
  const running = await testApp({ worker: true, env: { RETENTION_DAYS: '0' } });
  const { center, token } = await makeStage(running.app);
  const id = await emitEvent(running.app, center.id);
  await age(running, id, 9_000);
  await forget(running);
  expect(await eventIds(running, token)).toEqual([id]);
});

test('an event is kept while a workflow that it started is running', async () => {
  const running = await testApp({ worker: true, env });
  const { center, token } = await makeStage(running.app);
  await makeWorkflow(running, token, [{ name: 'look', kind: 'human_review', prompt: 'Well?' }], {
    type: 'EVENT',
    eventPattern: 'payment.completed',
  });
  const id = await emitEvent(running.app, center.id, 'payment.completed');
  let executionId = '';
  await eventually(async () => {
    const execution = await running.app.db.acrossTenants.workflowExecution.findFirst();
    executionId = execution?.id ?? '';
    return execution !== null;
  });
  await reaches(running, token, executionId, 'AWAITING_REVIEW');
  await age(running, id, 31);
  await forget(running);
  expect(await eventIds(running, token)).toContain(id);
  await running.graphql(
    `mutation ($id: ID!) { cancelWorkflowExecution(input: { id: $id }) { status } }`,
    { id: executionId },
    token,
  );
  await forget(running);
  expect(await eventIds(running, token)).not.toContain(id);
});

test('thousands of rows are deleted in small transactions, without sequential scans', async () => {
  const { app, superuser: pool } = await testApp({ env, reportsPlans: true });
  const { center } = await makeStage(app);
  const workflow = `INSERT INTO workflow (id, center_id, name, type, vertical) VALUES ('wf_1', $1, 'x', 'EVENT', 'education')`;
  await pool.query(workflow, [center.id]);
  // Twenty thousand events, of which 1,200 are old; every tenth of those still waits for an attempt.
  for (const sql of [
    `INSERT INTO platform_event (id, center_id, type, data, created_at)
     SELECT 'msg_' || n, $1, 'dpu.sealed', '{}', now() - CASE WHEN n <= 1200 THEN interval '40 days' ELSE interval '1 day' END
     FROM generate_series(1, 20000) n`,
    `INSERT INTO webhook (id, center_id, url, events, secret, deleted_at)
     SELECT 'whk_' || n, $1, 'http://x', '{}', '', CASE WHEN n <= 5 THEN now() - interval '40 days' END
     FROM generate_series(1, 5000) n`,
    `INSERT INTO delivery (webhook_id, event_id, center_id, status, attempts, next_attempt_at, last_attempt_at, created_at)
     SELECT 'whk_9', id, $1, 'failed', 1, CASE WHEN id LIKE '%0' THEN now() END, created_at, created_at
     FROM platform_event`,
    `INSERT INTO delivery_attempt (webhook_id, event_id, number, started_at, duration_ms)
     SELECT webhook_id, event_id, 1, created_at, 5 FROM delivery WHERE center_id = $1`,
    `INSERT INTO workflow_execution (id, center_id, workflow_id, version, started_by, status)
     SELECT 'exe_' || n, $1, 'wf_1', 1, 'msg_' || n, 'COMPLETED' FROM generate_series(1201, 9000) n`,
  ]) {
    await pool.query(sql, [center.id]);
  }
  await pool.query('VACUUM ANALYZE');

  const seen = await statementsOf(app, async () => {
    // Each finished delivery, its event, and the deleted webhooks, which had none.
    expect(await deleteOldEvents(app, new Date())).toBe(1_080 + 1_080 + 5);
  });
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM platform_event) AS events, (SELECT count(*)::int FROM delivery) AS deliveries,
            (SELECT count(*)::int FROM delivery_attempt) AS attempts, (SELECT count(*)::int FROM webhook) AS webhooks`,
  );
  expect(rows).toEqual([{ events: 18_920, deliveries: 18_920, attempts: 18_920, webhooks: 4_995 }]);
  expect(seen.filter(({ text }) => text.includes('DELETE FROM platform_event'))).toHaveLength(7);
  // Ids without a time are in the default partitions; those of the weeks are empty.
  const large = [
    'platform_event_rest',
    'delivery_rest',
    'delivery_attempt_rest',
    'webhook',
    'workflow_execution',
  ];
  for (const statement of seen.filter(({ text }) => !text.includes('graphile_worker'))) {
    const scans = statement.scans.filter((table) => large.includes(table));
    expect(scans, statement.text).toEqual([]);
  }
  expect(await deleteOldEvents(app, new Date())).toBe(0);
});

test('permanently failed jobs are deleted, others are kept', async () => {
  const { app, superuser: pool } = await testApp({ env });
  for (const [id, maxAttempts, days] of [
    ['old', 1, 31],
    ['recent', 1, 29],
    ['waiting', 25, 31],
  ] as const) {
    await pool.query(
      `SELECT graphile_worker.add_job('run_workflow', json_build_object('executionId', $1::text), max_attempts => $2)`,
      [id, maxAttempts],
    );
    await pool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, updated_at = now() - $2 * interval '1 day'
       WHERE payload ->> 'executionId' = $1`,
      [id, days],
    );
  }
  expect(await deleteOldEvents(app, new Date())).toBe(1);
  const { rows } = await pool.query(
    `SELECT payload ->> 'executionId' AS id FROM graphile_worker._private_jobs ORDER BY 1`,
  );
  expect(rows).toEqual([{ id: 'recent' }, { id: 'waiting' }]);
});

test('the hourly cleanup finds expired rows without scanning whole tables', async () => {
  const { app, superuser: pool } = await testApp({ reportsPlans: true });
  const { admin } = await makeStage(app);
  for (const sql of [
    `INSERT INTO session (id, actor_id, expires_at)
     SELECT 'ses_' || n, $1::uuid, now() + (n - 100) * interval '1 day' FROM generate_series(1, 5000) n`,
    `INSERT INTO refresh_token (token_hash, session_id, expires_at)
     SELECT $1 || n, 'ses_' || n, now() + (n - 100) * interval '1 day' FROM generate_series(1, 5000) n`,
    `INSERT INTO idempotency_record (principal, key, request_hash, locked_until, created_at)
     SELECT $1, n, '', now(), now() - (100 - n) * interval '1 day' FROM generate_series(1, 5000) n`,
    `INSERT INTO rate_counter (key, points, expire)
     SELECT $1 || n, 1, (extract(epoch FROM now()) + n - 100) * 1000 FROM generate_series(1, 5000) n`,
  ]) {
    await pool.query(sql, [admin.actor.id]);
  }
  await pool.query('VACUUM ANALYZE');
  const seen = await statementsOf(app, () => sweep(app));
  expect(seen.length).toBeGreaterThan(3);
  const large = new Set(['session', 'refresh_token', 'idempotency_record', 'rate_counter']);
  for (const statement of seen) {
    const scans = statement.scans.filter((table) => large.has(table));
    expect(scans, statement.text).toEqual([]);
  }
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM session WHERE id LIKE 'ses_%') - 1 AS sessions,
            (SELECT count(*)::int FROM idempotency_record) AS answers`,
  );
  // Sessions that ended 30 days ago or earlier, and answers older than a day.
  expect(rows).toEqual([{ sessions: 4_930, answers: 4_901 }]);
});
