/** Idempotency keys of calls that were interrupted: by a crash, a lost connection or an expired lease. */
import { canonicalJson } from '@countersign/proof-kit/canonical';
import pg from 'pg';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { relayTo } from '../helpers/relay.ts';
import { runAs } from '../helpers/server.ts';
import { makeMember, makePartner, makeStage } from '../helpers/world.ts';
import { makeWorkflow, text } from '../workflows/steps.ts';
import { decision, PATH, stage } from './idempotency-stage.ts';

const digestOf = (input: Record<string, string | number>) => `sha256:${sha256Hex(canonicalJson(input))}`;

/** From now on no response can be stored, as if each process died between the commit and its response. */
async function loseAnswers(adminUrl: string): Promise<void> {
  await runAs(
    adminUrl,
    `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'lost'; END $$;
     CREATE TRIGGER lose BEFORE UPDATE OF response_status ON idempotency_record
     FOR EACH ROW WHEN (new.response_status IS NOT NULL) EXECUTE FUNCTION lose()`,
  );
}

test('a call that committed without a reply gets its response without running again', async () => {
  const running = await stage();
  const { app, call, database, key, center } = running;
  const { token } = await makeMember(app, center.id, 'ADMIN');
  const partner = await makePartner(app);
  const eventId = (await call('POST', PATH, { token: key, body: decision('to be sealed') })).body.data.id;
  const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
  const outcomeOf = { status: 'executed', argumentsDigest: digestOf({ note: 'to be sealed', more: 1 }) };
  const webhook = { url: 'http://127.0.0.1:9/x', events: ['*'] };
  const webhookId = (await call('POST', '/v1/webhooks', { token: key, body: webhook })).body.id;
  const workflowId = await makeWorkflow(running, token, [text('a')]);
  const newCenter = {
    name: 'New place',
    tenantType: 'CENTER',
    vertical: 'education',
    adminEmail: 'new-admin@example.test',
  };
  const calls: [method: string, path: string, token: string, body: object | undefined][] = [
    ['POST', PATH, key, decision('x')],
    ['POST', `${PATH}/${eventId}/approvals`, key, approval],
    ['POST', `${PATH}/${eventId}/outcome`, key, outcomeOf],
    ['POST', '/dpu/demo', token, { content: 'demo' }],
    ['POST', '/v1/webhooks', key, webhook],
    ['POST', `/v1/webhooks/${webhookId}/rotate-secret`, key, {}],
    ['PATCH', `/v1/webhooks/${webhookId}`, key, { description: 'changed' }],
    ['DELETE', `/v1/webhooks/${webhookId}`, key, undefined],
    ['POST', `/workflows/${workflowId}/execute`, token, {}],
    ['POST', '/partner/centers', partner.token, newCenter],
    ['PATCH', '/partner/settings', partner.token, { color: 'red' }],
  ];
  await loseAnswers(database.adminUrl);
  const rowsOf = async () => {
    const tables = [
      'decision_event',
      'approval',
      'outcome',
      'dpu',
      'webhook',
      'workflow_execution',
      'center',
    ];
    const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
    return (await running.superuser.query(`SELECT ${counts.join(', ')}`)).rows[0];
  };
  for (const [method, path, bearer, body] of calls) {
    const send = () =>
      call(method, path, { token: bearer, body, headers: { 'idempotency-key': `${method}:${path}` } });
    const first = await send();
    expect([path, first.status < 300]).toEqual([path, true]);
    const before = await rowsOf();
    const again = await send();
    expect([path, again.status, again.text]).toEqual([path, first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await rowsOf()).toEqual(before);
  }
});

test('the key of a dead process is released immediately, or returns its committed response', async () => {
  const database = await testDatabase();
  const relay = await relayTo(database.url);
  const dying = await testApp({ database: { ...database, url: relay.url } });
  const living = await testApp({ database });
  const { key } = await makeStage(living.app);
  const send = (through: TestApp, name: string) =>
    through.call('POST', '/v1/webhooks', {
      token: key,
      body: { url: 'http://127.0.0.1:9/x', events: ['*'] },
      headers: { 'idempotency-key': name },
    });
  const holder = new pg.Client(database.adminUrl);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE webhook IN ACCESS EXCLUSIVE MODE');
  const before = send(dying, 'before');
  await eventually(async () => (await keysOf(living)).length === 1);
  const committed = relay.holdNextCommit();
  await holder.query('COMMIT');
  await committed;
  // Its change is committed, its response is not stored; another call has its key and has changed nothing.
  await holder.query('BEGIN; LOCK TABLE webhook IN ACCESS EXCLUSIVE MODE');
  const after = send(dying, 'after');
  await eventually(async () => (await keysOf(living)).length === 2);
  relay.cut();
  await Promise.all([before, after]);
  await holder.query('COMMIT');
  await holder.end();

  await eventually(async () => (await send(living, 'before')).status !== 409);
  const answer = await send(living, 'before');
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(answer.body.signingSecret).toMatch(/^whsec_/);
  expect((await send(living, 'after')).status).toBe(201);
  const { rows } = await living.superuser.query('SELECT 1 FROM webhook');
  expect(rows).toHaveLength(2);
});

test('the key of a process without heartbeat is released, even if its connection is still open', async () => {
  const database = await testDatabase();
  const paused = await testApp({ database });
  const living = await testApp({ database });
  const { key } = await makeStage(living.app);
  const body = { url: 'http://127.0.0.1:9/x', events: ['*'] };
  const send = (through: TestApp) =>
    through.call('POST', '/v1/webhooks', { token: key, body, headers: { 'idempotency-key': 'paused' } });
  const holder = new pg.Client(database.adminUrl);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE webhook IN ACCESS EXCLUSIVE MODE');
  const first = send(paused);
  await eventually(async () => (await keysOf(living)).length === 1);
  expect((await send(living)).status).toBe(409);
  const presenceOf = async () =>
    (await living.superuser.query('SELECT holder FROM idempotency_record')).rows[0].holder as number;
  const presence = await presenceOf();
  // Its last heartbeat is old, and later ones are lost.
  await living.superuser.query(`BEGIN; LOCK TABLE process_heartbeat IN SHARE ROW EXCLUSIVE MODE;
    UPDATE process_heartbeat SET beat_at = now() - interval '1 minute' WHERE presence = ${presence};
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER lose BEFORE UPDATE ON process_heartbeat FOR EACH ROW
      WHEN (NEW.presence = ${presence}) EXECUTE FUNCTION lose(); COMMIT`);
  const second = send(living);
  await eventually(async () => (await presenceOf()) !== presence);
  await holder.query('COMMIT');
  await holder.end();
  expect((await first).status).toBe(409);
  expect((await second).status).toBe(201);
  expect((await living.superuser.query('SELECT 1 FROM webhook')).rows).toHaveLength(1);
});

const keysOf = async ({ superuser }: TestApp) =>
  (await superuser.query('SELECT key FROM idempotency_record')).rows;

test.each([
  ['recorded', PATH, 'decision_event', decision('slow')],
  ['made', '/v1/webhooks', 'webhook', { url: 'http://127.0.0.1:9/x', events: ['*'] }],
] as const)(
  'after a lease expired, only the second holder of a key writes (%s)',
  async (_, path, table, body) => {
    const { call, key, database, superuser } = await stage();
    const send = () => call('POST', path, { token: key, body, headers: { 'idempotency-key': 'slow' } });
    const holder = new pg.Client(database.adminUrl);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const fence = async () => (await superuser.query('SELECT fence FROM idempotency_record')).rows[0]?.fence;
    const first = send();
    await eventually(async () => (await fence()) !== undefined);
    const held = await fence();
    // Longer than the lease.
    await superuser.query(`UPDATE idempotency_record SET locked_until = now() - interval '1 second'`);
    const second = send();
    await eventually(async () => (await fence()) !== held);
    await holder.query('COMMIT');
    await holder.end();
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status)).toEqual([409, 201]);
    expect(answers[0]!.headers.get('retry-after')).toBe('1');
    expect((await send()).text).toBe(answers[1]!.text);
    expect((await superuser.query(`SELECT 1 FROM ${table}`)).rows).toHaveLength(1);
  },
);

test('an approval whose key was taken over is not written, others in its transaction are', async () => {
  const { app, call, key, database, superuser } = await stage();
  const ids: string[] = [];
  for (const note of ['a', 'b']) {
    ids.push((await call('POST', PATH, { token: key, body: decision(note) })).body.data.id);
  }
  const approve = (id: string, name: string) =>
    call('POST', `${PATH}/${id}/approvals`, {
      token: key,
      body: { approver: { id: 'boss', type: 'human' }, result: 'approved' },
      headers: { 'idempotency-key': name },
    });
  // As if another call had taken it over right afterwards.
  await runAs(
    database.adminUrl,
    `CREATE FUNCTION take_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.fence := 'another'; RETURN new; END $$;
     CREATE TRIGGER take_over BEFORE INSERT ON idempotency_record
     FOR EACH ROW WHEN (new.key = '${app.vault.fingerprint('lost')}') EXECUTE FUNCTION take_over()`,
  );
  const sent = Promise.all([approve(ids[0]!, 'lost'), approve(ids[1]!, 'kept')]);
  expect((await sent).map(({ status }) => status)).toEqual([409, 200]);
  expect((await superuser.query('SELECT event_id FROM approval')).rows).toEqual([{ event_id: ids[1] }]);
});
