import { createHash } from 'node:crypto';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { createApiKey } from '../../src/domain/api-keys/keys.ts';
import { systemContext } from '../../src/domain/context.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp({ worker: true });
  stage = await proofStage(running);
});
afterAll(() => running.close());

const input = { orderId: '1042', amount: 4900 };
const digest = `sha256:${createHash('sha256').update('{"amount":4900,"orderId":"1042"}').digest('hex')}`;
const ask = (more: object = {}) =>
  stage.post('/agents/decide', {
    agent: { id: 'refund-agent' },
    action: { type: 'refund.grant', input },
    riskScore: 0.95,
    ...more,
  });
const outcome = (eventId: string, more: object = {}) =>
  stage.post(`/decision-events/${eventId}/outcome`, { status: 'executed', argumentsDigest: digest, ...more });
const sealedCall = async () => {
  const { eventId } = (await ask()).body.data;
  expect((await stage.approve(eventId)).status).toBe(200);
  return eventId as string;
};

test('a pending decision returns its expiry and the digest of its arguments', async () => {
  const { status, body } = await ask({ expiresInSeconds: 600 });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ outcome: 'awaiting_approval', argumentsDigest: digest });
  expect(digest).toBe(await argumentsDigest(input));
  const left = Date.parse(body.data.expiresAt) - Date.now();
  expect(left).toBeGreaterThan(500_000);
  expect(left).toBeLessThanOrEqual(600_000);
  const none = await ask({ action: { type: 'noop' }, riskScore: 0.1 });
  expect(none.body.data).toMatchObject({ outcome: 'completed', argumentsDigest: await argumentsDigest() });
  expect(none.body.data).not.toHaveProperty('expiresAt');
});

test.each([9, 604_801, 1.5, '60'])('expiresInSeconds %j is rejected', async (expiresInSeconds) => {
  const { status, body } = await ask({ expiresInSeconds });
  expect(status).toBe(422);
  expect(body.error.details.fields[0].path).toBe('expiresInSeconds');
});

test('an expired decision is rejected by the service, and a later approval is a conflict', async () => {
  const { eventId, expiresAt } = (await ask({ expiresInSeconds: 10 })).body.data;
  await eventually(() => Date.now() >= Date.parse(expiresAt));
  expect((await stage.approve(eventId)).status).toBe(409);
  await eventually(
    async () => (await stage.get(`/decision-events/${eventId}`)).body.data.status === 'rejected',
  );
  const [approval] = await running.app.db
    .forCenter(stage.center.id)
    .approval.findMany({ where: { eventId } });
  expect(approval!.content).toMatchObject({
    reason: 'expired',
    by: { kind: 'system' },
    approver: { type: 'system' },
    result: 'rejected',
  });
});

describe('the outcome of a sealed decision', () => {
  test('is recorded once in the journal, and returned by GraphQL and the export', async () => {
    const eventId = await sealedCall();
    const first = await outcome(eventId, { output: { refundId: 're_77' } });
    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      eventId,
      status: 'executed',
      recordedAt: expect.any(String),
      journalIndex: expect.any(Number),
      receipt: expect.any(String),
    });
    expect((await outcome(eventId)).status).toBe(409);
    const { data } = await running.graphql(
      'query ($id: ID!) { decisionEvent(id: $id) { argumentsDigest outcome { status output journalIndex } } }',
      { id: eventId },
      stage.key,
    );
    expect(data.decisionEvent.outcome).toEqual({
      status: 'executed',
      output: { refundId: 're_77' },
      journalIndex: first.body.data.journalIndex,
    });
    const { evidence } = (await stage.get(`/decision-events/${eventId}`)).body.data;
    const { text, body } = await stage.get(`/evidence/${evidence.id}/export`);
    expect(body.outcome).toMatchObject({ status: 'executed', output: { refundId: 're_77' } });
    expect((await verifyProof(text)).verdict).toBe('consistent');
    const forged = text.replace('"status":"executed"', '"status":"failed"');
    expect((await verifyProof(forged)).verdict).toBe('refuted');
  });

  test('is rejected for other arguments, a pending decision or another center', async () => {
    const other = `sha256:${'0'.repeat(64)}`;
    const eventId = await sealedCall();
    expect((await outcome(eventId, { argumentsDigest: other })).status).toBe(409);
    const waiting = (await ask()).body.data.eventId;
    expect((await outcome(waiting)).status).toBe(409);
    expect((await outcome('evt_none')).status).toBe(404);
    const stranger = await proofStage(running);
    const foreign = await stranger.post(`/decision-events/${eventId}/outcome`, {
      status: 'executed',
      argumentsDigest: digest,
    });
    expect(foreign.status).toBe(404);
    expect((await outcome(eventId, { argumentsDigest: 'md5:1' })).status).toBe(422);
    expect((await outcome(eventId)).status).toBe(201);
  });

  test('can be reported by the requesting key or an ADMIN, not by another key of the center', async () => {
    const ctx = systemContext(running.app, 'test', stage.center.id);
    const { plaintext: other } = await createApiKey(ctx, { name: 'other', scopes: ['proof:write'] });
    const eventId = await sealedCall();
    const report = { status: 'executed', argumentsDigest: digest };
    const path = `/v1/decision-events/${eventId}/outcome`;
    const refused = await running.call('POST', path, { token: other, body: report });
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('FORBIDDEN');
    const waiting = (await ask()).body.data.eventId;
    const WITHDRAW = 'mutation ($id: ID!) { withdrawDecision(eventId: $id) { status } }';
    const stopped = await running.graphql(WITHDRAW, { id: waiting }, other);
    expect(stopped.errors![0]!.extensions!.code).toBe('FORBIDDEN');
    const REPORT = `mutation ($id: ID!, $input: ReportOutcomeInput!) {
      reportOutcome(eventId: $id, input: $input) { status journalIndex } }`;
    const byAdmin = await running.graphql(REPORT, { id: eventId, input: report }, stage.token);
    expect(byAdmin.errors).toBeUndefined();
    const withdrawn = await running.graphql(WITHDRAW, { id: waiting }, stage.token);
    expect(withdrawn.data.withdrawDecision.status).toBe('rejected');

    const entries = async (id: string): Promise<Record<string, { kind: string }>[]> => {
      const { data } = await running.graphql(
        'query ($id: ID!) { decisionEvent(id: $id) { journal { content } } }',
        { id },
        stage.token,
      );
      return data.decisionEvent.journal.map((each: { content: string }) => JSON.parse(each.content));
    };
    const kinds = (list: Awaited<ReturnType<typeof entries>>) => list.map(({ kind, by }) => [kind, by?.kind]);
    expect(kinds(await entries(eventId))).toEqual([
      ['recorded', 'api_key'],
      ['outcome', 'session'],
    ]);
    const [, rejected] = await entries(waiting);
    expect(rejected).toMatchObject({
      kind: 'rejected',
      by: { kind: 'session', _sd: [expect.any(String)] },
      approval: { result: 'rejected', by: { kind: 'system' } },
      event: { id: waiting },
    });
  });

  test('is recorded once under concurrent reports', async () => {
    const eventId = await sealedCall();
    const reports = await Promise.all(
      Array.from({ length: 8 }, (_, i) => outcome(eventId, { status: i % 2 ? 'failed' : 'executed' })),
    );
    expect(reports.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const rows = await running.app.db.forCenter(stage.center.id).outcome.findMany({ where: { eventId } });
    expect(rows).toHaveLength(1);
  });
});

test('a pending decision can be withdrawn, a final one cannot', async () => {
  const withdraw = (id: string) =>
    running.graphql('mutation ($id: ID!) { withdrawDecision(eventId: $id) { status } }', { id }, stage.key);
  const { eventId } = (await ask()).body.data;
  expect((await withdraw(eventId)).data.withdrawDecision.status).toBe('rejected');
  expect((await withdraw(eventId)).errors![0]!.extensions.code).toBe('CONFLICT');
  expect((await stage.approve(eventId)).status).toBe(409);
  const [approval] = await running.app.db
    .forCenter(stage.center.id)
    .approval.findMany({ where: { eventId } });
  expect(approval!.content).toMatchObject({ reason: 'withdrawn', by: { kind: 'system' } });
});

const claim = (eventId: string, token = stage.key) =>
  running.call('POST', `/v1/decision-events/${eventId}/claim`, { token });
const keyWith = async (...scopes: ('proof:read' | 'proof:write' | 'proof:request')[]) =>
  (await createApiKey(systemContext(running.app, 'test', stage.center.id), { name: 'k', scopes })).plaintext;

test('a claim succeeds once, for the requesting key, before the outcome; a repeated request returns both', async () => {
  const body = { agent: { id: 'a' }, action: { type: 'refund.grant', input }, riskScore: 0.1 };
  const headers = { 'Idempotency-Key': 'claimed-once' };
  const { eventId } = (await stage.post('/agents/decide', body, headers)).body.data;
  expect((await claim(eventId, await keyWith('proof:write'))).status).toBe(403);
  const answers = await Promise.all(Array.from({ length: 5 }, () => claim(eventId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const won = answers.find(({ status }) => status === 201)!.body.data;
  expect(won).toEqual({ eventId, claimedAt: expect.any(String), receipt: expect.any(String) });
  expect((await outcome(eventId)).status).toBe(201);
  const again = (await stage.post('/agents/decide', body, headers)).body.data;
  expect(again).toMatchObject({ claimedAt: won.claimedAt, reported: { status: 'executed' } });
  const unclaimed = await sealedCall();
  expect((await outcome(unclaimed)).status).toBe(201);
  expect((await claim(unclaimed)).status).toBe(409);
  expect((await claim((await ask()).body.data.eventId)).status).toBe(409);
});

test('a proof:request key can only request, read its own decisions, claim and report', async () => {
  const token = await keyWith('proof:request');
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    running.call(method, `/v1${path}`, { token, ...(body && { body }) });
  const body = { agent: { id: 'a' }, action: { type: 'refund.grant', input }, riskScore: 0.1 };
  const { eventId, dpu } = (await call('POST', '/agents/decide', body)).body.data;
  const foreign = await sealedCall();
  expect((await call('GET', `/decision-events/${eventId}`)).status).toBe(200);
  expect((await call('GET', `/dpu/${dpu.id}`)).status).toBe(200);
  expect((await call('GET', `/decision-events/${foreign}`)).status).toBe(404);
  const list = (await call('GET', '/decision-events')).body;
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([eventId]);
  expect(list.pagination.total).toBe(1);
  const { evidence } = (await stage.get(`/decision-events/${foreign}`)).body.data;
  expect((await call('GET', `/evidence/${evidence.id}`)).status).toBe(404);
  expect((await call('GET', `/evidence/${evidence.id}/export`)).status).toBe(404);
  expect((await call('POST', `/decision-events/${foreign}/claim`)).status).toBe(404);
  expect((await call('POST', `/decision-events/${eventId}/claim`)).status).toBe(201);
  const approval = { approver: { id: 'b', type: 'human' }, result: 'approved' };
  expect((await call('POST', `/decision-events/${eventId}/approvals`, approval)).status).toBe(403);
  expect((await call('GET', '/webhooks')).status).toBe(403);
  const report = { status: 'executed', argumentsDigest: digest };
  expect((await call('POST', `/decision-events/${eventId}/outcome`, report)).status).toBe(201);
});
