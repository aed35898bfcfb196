import { createHash } from 'node:crypto';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeKey } from '../helpers/world.ts';
import { decision } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

const decisionOfAgent = {
  agent: { id: 'refund-agent', name: 'Refund agent' },
  action: { type: 'refund.grant', description: 'Refund order A-17', input: { amount: 49.9 } },
  aiContext: { model: 'm-1', confidence: 0.9 },
  riskScore: 0.2,
  tags: ['refund'],
};

const decide = (stage: ProofStage, change: object = {}, key?: string) =>
  stage.post('/agents/decide', { ...decisionOfAgent, ...change }, key ? { 'Idempotency-Key': key } : {});

/** Keeps the head of the center's proof chain locked, as a stuck process would. */
async function lockHead(running: TestApp, centerId: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: running.database.adminUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SELECT FROM ledger_chain WHERE center_id = $1 AND domain = 'proof' FOR UPDATE`, [
    centerId,
  ]);
  let open = true;
  const release = async () => {
    if (!open) return;
    open = false;
    await client.query('ROLLBACK');
    await client.end();
  };
  onTestFinished(release);
  return release;
}

test('a decision that needs no approval is sealed immediately by the service', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const { status, body } = await decide(stage);
  expect(status).toBe(201);
  expect(body.data).toEqual({
    decisionId: expect.stringMatching(/^dec_/),
    eventId: expect.stringMatching(/^evt_/),
    outcome: 'completed',
    argumentsDigest: `sha256:${createHash('sha256').update('{"amount":49.9}').digest('hex')}`,
    dpu: {
      id: expect.stringMatching(/^dpu_/),
      status: 'sealed',
      chainHash: expect.stringMatching(/^sha256:/),
      chainIndex: 0,
    },
    receipt: expect.stringContaining('/receipts\n'),
  });
  const event = (await stage.get(`/decision-events/${body.data.eventId}`)).body.data;
  expect(event).toMatchObject({ type: 'agent_execution', status: 'sealed', actor: { type: 'ai_agent' } });
  const evidence = (await stage.get(`/evidence/${event.evidence.id}`)).body.data;
  expect(evidence.approval.approver.type).toBe('system');
  expect((await stage.events('agent.decision.completed')).map(({ data }) => data)).toEqual([
    {
      decisionId: body.data.decisionId,
      eventId: body.data.eventId,
      agentId: 'refund-agent',
      actionType: 'refund.grant',
      riskScore: 0.2,
      autonomous: true,
      dpuId: body.data.dpu.id,
      chainHash: body.data.dpu.chainHash.slice('sha256:'.length),
    },
  ]);
  expect(await stage.events('agent.approval.requested')).toEqual([]);
});

test('a decision above the risk threshold waits for approval by a person', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const { status, body } = await decide(stage, { riskScore: 0.95 }, 'risky');
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    outcome: 'awaiting_approval',
    dpu: { status: 'pending', chainHash: null, chainIndex: null },
  });
  const again = await decide(stage, { riskScore: 0.95 }, 'risky');
  expect([again.status, again.body]).toEqual([200, body]);
  expect((await stage.events('agent.approval.requested')).map(({ data }) => data)).toEqual([
    {
      decisionId: body.data.decisionId,
      eventId: body.data.eventId,
      agentId: 'refund-agent',
      actionType: 'refund.grant',
      riskScore: 0.95,
      reason: 'risk_threshold',
    },
  ]);
  expect(await stage.events('agent.decision.completed')).toEqual([]);

  const robot = await stage.approve(body.data.eventId, { approver: { id: 'bot', type: 'system' } });
  expect([robot.status, robot.body.error.details.rule]).toEqual([422, 'risk_threshold']);
  expect((await stage.approve(body.data.eventId)).status).toBe(200);
  expect((await stage.events('agent.decision.completed')).map(({ data }) => data)).toMatchObject([
    { eventId: body.data.eventId, autonomous: false },
  ]);
  const settled = await decide(stage, { riskScore: 0.95 }, 'risky');
  expect(settled.body.data).toMatchObject({ outcome: 'completed', dpu: { status: 'sealed' } });
});

test('a rejected decision publishes an event with cause and reason, and a repeat returns rejected', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const ask = async (key: string) => (await decide(stage, { riskScore: 0.95 }, key)).body.data.eventId;
  const rejected = await ask('rejected');
  const reason = 'expired';
  const answer = await stage.approve(rejected, { result: 'rejected', reason });
  expect(answer.status).toBe(200);
  const withdrawn = await ask('withdrawn');
  const WITHDRAW = 'mutation ($id: ID!) { withdrawDecision(eventId: $id) { status } }';
  expect((await running.graphql(WITHDRAW, { id: withdrawn }, stage.token)).errors).toBeUndefined();
  const events = (await stage.events('agent.decision.rejected')).map(
    ({ data }) => data as { eventId: string },
  );
  const common = { agentId: 'refund-agent', actionType: 'refund.grant', riskScore: 0.95 };
  expect(events).toHaveLength(2);
  expect(events.find(({ eventId }) => eventId === rejected)).toEqual({
    ...common,
    decisionId: expect.any(String),
    eventId: rejected,
    // An approver who writes "expired" has still rejected it.
    cause: 'rejected',
    reason,
    approver: expect.objectContaining({ type: 'human' }),
    rejectedAt: expect.any(String),
  });
  expect(events.find(({ eventId }) => eventId === withdrawn)).toMatchObject({
    ...common,
    cause: 'withdrawn',
    reason: null,
    approver: null,
  });
  expect((await decide(stage, { riskScore: 0.95 }, 'rejected')).body.data.outcome).toBe('rejected');

  const read = (await stage.get(`/decision-events/${rejected}`)).body.data;
  expect(read).toMatchObject({
    status: 'rejected',
    argumentsDigest: `sha256:${createHash('sha256').update('{"amount":49.9}').digest('hex')}`,
    expiresAt: expect.any(String),
    approvals: [{ result: 'rejected', reason, approver: { type: 'human' }, by: { kind: 'api_key' } }],
  });

  // Decisions that no agent requested are rejected without an event.
  const plain = await stage.record();
  await stage.approve(plain.id, { result: 'rejected' });
  expect(await stage.events('agent.decision.rejected')).toHaveLength(2);
});

test('a pending decision stays pending when the policy is loosened', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const policy = await stage.policy({ humanReviewForAi: true });
  await decide(stage, {}, 'waits');
  await running.app.db.acrossTenants.policy.update({ where: { id: policy.id }, data: { active: false } });
  expect((await decide(stage, {}, 'waits')).body.data.outcome).toBe('awaiting_approval');
});

test('one idempotency key creates one decision, and another body is a conflict', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const answers = await Promise.all(Array.from({ length: 12 }, () => decide(stage, {}, 'once')));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
  expect(new Set(answers.map(({ body }) => body.data.eventId)).size).toBe(1);
  for (const change of [{ riskScore: 0.3 }, { tags: [] }]) {
    const other = await decide(stage, change, 'once');
    expect([other.status, other.body.error.code]).toEqual([409, 'CONFLICT']);
  }
  expect((await decide(stage)).status).toBe(201);
  expect((await decide(stage)).status).toBe(201);
});

describe('an Idempotency-Key belongs to the API key that sent it:', () => {
  const decideAs = (running: TestApp, token: string, change: object = {}) =>
    running.call('POST', '/v1/agents/decide', {
      token,
      body: { ...decisionOfAgent, ...change },
      headers: { 'Idempotency-Key': 'order-17' },
    });

  test('another key makes its own decision, also at the same time and with another body', async () => {
    const running = await testApp();
    const stage = await proofStage(running);
    const stranger = await makeKey(running.app, stage.center.id, ['proof:request']);
    for (const riskScore of [0.2, 0.95]) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => decideAs(running, i % 2 ? stranger : stage.key, { riskScore })),
      );
      if (riskScore === 0.95) {
        // Both keys had a decision already.
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
        continue;
      }
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), 201, 201]);
      const idsOf = (rest: number) =>
        new Set(answers.filter((_, i) => i % 2 === rest).map(({ body }) => body.data.eventId));
      expect([idsOf(0).size, idsOf(1).size, new Set([...idsOf(0), ...idsOf(1)]).size]).toEqual([1, 1, 2]);
    }
    const third = await makeKey(running.app, stage.center.id, ['proof:request']);
    const answer = await decideAs(running, third, { riskScore: 0.95 });
    expect(answer.status).toBe(201);
    // It learned nothing from the decisions of the others, not even that they exist.
    expect(answer.body.data).toMatchObject({ outcome: 'awaiting_approval' });
    expect(await running.app.db.forCenter(stage.center.id).decisionEvent.count()).toBe(3);
  });

  test('a waiting decision is replayed to its own key only', async () => {
    const running = await testApp();
    const stage = await proofStage(running);
    const stranger = await makeKey(running.app, stage.center.id, ['proof:request']);
    const own = await decideAs(running, stage.key, { riskScore: 0.95 });
    const other = await decideAs(running, stranger, { riskScore: 0.95 });
    expect([own.status, other.status]).toEqual([201, 201]);
    await stage.approve(own.body.data.eventId);
    const again = await decideAs(running, stage.key, { riskScore: 0.95 });
    expect(again.body.data).toMatchObject({ eventId: own.body.data.eventId, outcome: 'completed' });
    const waiting = await decideAs(running, stranger, { riskScore: 0.95 });
    expect(waiting.body.data).toMatchObject({
      eventId: other.body.data.eventId,
      outcome: 'awaiting_approval',
    });
  });

  test('the idempotencyKey of a body belongs to the center, and a conflict tells nothing else', async () => {
    const running = await testApp();
    const stage = await proofStage(running);
    const stranger = await makeKey(running.app, stage.center.id, ['proof:request']);
    const body = { ...decision, idempotencyKey: 'order-17' };
    const record = async (token: string) =>
      (await running.call('POST', '/v1/decision-events', { token, body })).body;
    const { id } = (await record(stage.key)).data;
    expect((await record(await makeKey(running.app, stage.center.id))).data.id).toBe(id);
    const refused = (await record(stranger)).error;
    expect(refused.code).toBe('CONFLICT');
    // Erasing another member than the key itself does not change the answer either.
    const ERASE = 'mutation ($input: EraseDecisionInput!) { eraseDecision(input: $input) { id } }';
    await stage.ask(ERASE, { input: { eventId: id, reason: 'asked to', fields: ['actor.name'] } });
    expect((await record(stage.key)).error.message).toContain('erased');
    expect((await record(stranger)).error.message).toBe(refused.message);
  });
});

test('a failed seal leaves the decision pending; a repeat with the same key seals it', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  await decide(stage);
  const release = await lockHead(running, stage.center.id);
  const pending = await decide(stage, {}, 'stuck');
  expect(pending.status).toBe(201);
  expect(pending.body.data).toMatchObject({
    outcome: 'completed',
    dpu: { status: 'pending', chainHash: null },
  });
  const { eventId, dpu } = pending.body.data;
  expect((await stage.get(`/dpu/${dpu.id}`)).body.data.status).toBe('pending');
  expect(await stage.events('agent.decision.completed')).toHaveLength(1);

  await release();
  const retried = await decide(stage, {}, 'stuck');
  expect(retried.status).toBe(200);
  expect(retried.body.data).toMatchObject({ eventId, dpu: { id: dpu.id, status: 'sealed', chainIndex: 1 } });
  expect(await stage.events('agent.decision.completed')).toHaveLength(2);
});

test('a failed seal is completed by a background job', async () => {
  const running = await testApp({ worker: true });
  const stage = await proofStage(running);
  await decide(stage);
  const release = await lockHead(running, stage.center.id);
  const answers = await Promise.all([decide(stage), decide(stage), decide(stage)]);
  expect(answers.map(({ body }) => body.data.dpu.status)).toEqual(['pending', 'pending', 'pending']);
  await release();
  await eventually(async () => (await stage.events('agent.decision.completed')).length === 4);
  for (const { body } of answers) {
    expect((await stage.get(`/decision-events/${body.data.eventId}`)).body.data.status).toBe('sealed');
  }
});

test('every invalid field is listed', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const { status, body } = await stage.post('/agents/decide', { agent: {}, riskScore: 2, tags: [1] });
  expect(status).toBe(422);
  expect(body.error.details.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
    'action',
    'agent.id',
    'riskScore',
    'tags.0',
  ]);
});
