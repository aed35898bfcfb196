import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { verifyProof } from '../../src/proof-kit/verify-proof.ts';
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

test('what waits says until when, and names the arguments by their digest', async () => {
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

test.each([9, 604_801, 1.5, '60'])('expiresInSeconds %j is refused', async (expiresInSeconds) => {
  const { status, body } = await ask({ expiresInSeconds });
  expect(status).toBe(422);
  expect(body.error.details.fields[0].path).toBe('expiresInSeconds');
});

test('silence is no consent: the service rejects, and an approval after the moment is a conflict', async () => {
  const { eventId, expiresAt } = (await ask({ expiresInSeconds: 10 })).body.data;
  await eventually(() => Date.now() >= Date.parse(expiresAt), 12_000);
  expect((await stage.approve(eventId)).status).toBe(409);
  await eventually(
    async () => (await stage.get(`/decision-events/${eventId}`)).body.data.status === 'rejected',
    30_000,
  );
  const [approval] = await running.app.db
    .forCenter(stage.center.id)
    .approval.findMany({ where: { eventId } });
  expect(approval).toMatchObject({
    reason: 'expired',
    byKind: 'system',
    approverType: 'system',
    result: 'rejected',
  });
});

describe('the outcome of a sealed decision', () => {
  test('is recorded once, on the journal, and shows everywhere', async () => {
    const eventId = await sealedCall();
    const first = await outcome(eventId, { output: { refundId: 're_77' } });
    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      eventId,
      status: 'executed',
      recordedAt: expect.any(String),
      journalIndex: expect.any(Number),
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

  test('takes no other arguments, no decision that waits, and none of another center', async () => {
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

  test('is one under any race', async () => {
    const eventId = await sealedCall();
    const reports = await Promise.all(
      Array.from({ length: 8 }, (_, i) => outcome(eventId, { status: i % 2 ? 'failed' : 'executed' })),
    );
    expect(reports.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const rows = await running.app.db.forCenter(stage.center.id).outcome.findMany({ where: { eventId } });
    expect(rows).toHaveLength(1);
  });
});

test('a decision that waits can be withdrawn, one that is final cannot', async () => {
  const withdraw = (id: string) =>
    running.graphql('mutation ($id: ID!) { withdrawDecision(eventId: $id) { status } }', { id }, stage.key);
  const { eventId } = (await ask()).body.data;
  expect((await withdraw(eventId)).data.withdrawDecision.status).toBe('rejected');
  expect((await withdraw(eventId)).errors![0]!.extensions.code).toBe('CONFLICT');
  expect((await stage.approve(eventId)).status).toBe(409);
  const [approval] = await running.app.db
    .forCenter(stage.center.id)
    .approval.findMany({ where: { eventId } });
  expect(approval).toMatchObject({ reason: 'withdrawn', byKind: 'system' });
});
