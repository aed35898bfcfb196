import { expect, onTestFinished, test } from 'vitest';
import { foldTallies, readTallies } from '../../src/domain/tallies/tally.ts';
import { startTestApp, testApp } from '../helpers/app.ts';
import { makeActor, makeKey, makePartner, makeStage, makeToken } from '../helpers/world.ts';

const KIB = 1_024;

const event = (bytes: number) => ({
  type: 'custom',
  actor: { id: 'agent-1', type: 'ai_agent' },
  action: { type: 'refund.grant', input: { text: 'x'.repeat(bytes) } },
});

test('a center cannot exceed its storage quota, and other centers are not affected', async () => {
  const { app, call, graphql } = await testApp({ env: { STORAGE_QUOTA_MB: '1' } });
  const { key, token } = await makeStage(app);
  const neighbor = await makeStage(app);
  const record = (bearer: string, bytes: number) =>
    call('POST', '/v1/decision-events', { token: bearer, body: event(bytes) });
  for (let i = 0; i < 4; i++) expect((await record(key, 250 * KIB)).status).toBe(201);
  const refused = await record(key, 250 * KIB);
  expect([refused.status, refused.body.error.code]).toEqual([413, 'QUOTA_EXCEEDED']);
  const decided = await call('POST', '/v1/agents/decide', {
    token: key,
    body: { agent: { id: 'a' }, action: { type: 'refund.grant', input: { text: 'x'.repeat(30 * KIB) } } },
  });
  expect([decided.status, decided.body.error.code]).toEqual([413, 'QUOTA_EXCEEDED']);
  const workflow = await graphql(
    'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
    {
      input: {
        name: 'large',
        type: 'MANUAL',
        steps: [1, 2, 3, 4].map((i) => ({ name: `step${i}`, kind: 'template', text: 'x'.repeat(8 * KIB) })),
      },
    },
    token,
  );
  expect(workflow.errors![0]!.extensions.code).toBe('QUOTA_EXCEEDED');
  expect((await record(neighbor.key, 250 * KIB)).status).toBe(201);
});

test('the database counts stored bytes, and a new process uses its count', async () => {
  const env = { STORAGE_QUOTA_MB: '1' };
  const { app, call, database } = await testApp({ env });
  const { center, key, token } = await makeStage(app);
  const stored = async () =>
    (await readTallies(app.db.pool, [`storage:${center.id}`])).get(`storage:${center.id}`)!;
  expect((await call('POST', '/v1/decision-events', { token: key, body: event(200 * KIB) })).status).toBe(
    201,
  );
  const afterEvent = await stored();
  expect(afterEvent).toBeGreaterThan(200 * KIB);
  expect(afterEvent).toBeLessThan(204 * KIB);
  expect((await call('POST', '/dpu/demo', { token, body: {} })).status).toBe(201);
  expect(await stored()).toBeGreaterThan(afterEvent);
  await foldTallies(app.db.pool);
  expect(await stored()).toBeGreaterThan(afterEvent);

  await app.db.pool.query("INSERT INTO tally_delta (key, delta) VALUES ('storage:' || $1::text, 1048576)", [
    center.id,
  ]);
  const other = await startTestApp({ env, database });
  onTestFinished(() => other.close());
  expect((await other.call('POST', '/v1/decision-events', { token: key, body: event(10) })).status).toBe(413);
});

test('a center has at most 100 API keys; rotating does not bypass the limit', async () => {
  const { app, graphql } = await testApp();
  const { center, token } = await makeStage(app);
  for (let i = 1; i < 100; i++) await makeKey(app, center.id);
  const create = () =>
    graphql(
      'mutation { createApiKey(input: {name: "one more", scopes: ["proof:read"]}) { apiKey { id } } }',
      {},
      token,
    );
  expect((await create()).errors![0]!.extensions.code).toBe('CONFLICT');
  const { id } = await app.db.forCenter(center.id).apiKey.findFirstOrThrow();
  const rotate = (overlapHours: number) =>
    graphql(
      'mutation ($id: ID!, $hours: Int!) { rotateApiKey(input: {id: $id, overlapHours: $hours}) { apiKey { id } } }',
      { id, hours: overlapHours },
      token,
    );
  expect((await rotate(24)).errors![0]!.extensions.code).toBe('CONFLICT');
  expect((await rotate(0)).errors).toBeUndefined();
  expect((await create()).errors![0]!.extensions.code).toBe('CONFLICT');
});

test('order numbers are separate for each caller', async () => {
  const { app, call } = await testApp();
  const order = async (token: string, adminActorId: string, subdomain: string, orderId = 'order-1') =>
    call('POST', '/provisioning/center-tenant', {
      token,
      body: { centerName: 'A center', subdomain, planId: 'center-starter', orderId, adminActorId },
    });
  const [first, second] = [await makeActor(app), await makeActor(app)];
  const [firstToken, secondToken] = [
    await makeToken(app, first.id, null),
    await makeToken(app, second.id, null),
  ];
  expect((await order(firstToken, first.id, 'first-one')).status).toBe(201);
  // An anonymous caller who guesses the number consumes nothing and learns nothing.
  expect((await order(secondToken, second.id, 'second-one')).status).toBe(201);
  expect((await order(firstToken, first.id, 'first-one')).status).toBe(200);
  expect((await order(firstToken, first.id, 'first-two')).body.error.code).toBe('DUPLICATE_PROVISIONING');
  const partner = await makePartner(app);
  expect((await order(partner.token, partner.actor.id, 'third-one')).status).toBe(201);
});

test('a person can order at most 20 centers for themself', async () => {
  const { app, call } = await testApp();
  const actor = await makeActor(app);
  const token = await makeToken(app, actor.id, null);
  const order = (i: number) =>
    call('POST', '/provisioning/center-tenant', {
      token,
      body: {
        centerName: 'A center',
        subdomain: `mine-${i}`,
        planId: 'center-starter',
        orderId: `order-${i}`,
        adminActorId: actor.id,
      },
    });
  for (let i = 0; i < 17; i++) expect((await order(i)).status).toBe(201);
  const made = await Promise.all([17, 18, 19, 20, 21].map(order));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
  const refused = made.find(({ status }) => status === 409)!;
  expect(refused.body.error.code).toBe('CONFLICT');
});
