import { createHash } from 'node:crypto';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { bare, decision } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const recordOf = (dpuId: string) =>
  running.app.db.acrossTenants.dpu.findUniqueOrThrow({ where: { id: dpuId }, include: { record: true } });
const dpuOf = async (eventId: string) => {
  const event = await running.app.db.acrossTenants.decisionEvent.findUniqueOrThrow({
    where: { id: eventId },
  });
  return recordOf(event.dpuId);
};
const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

describe('an approval that satisfies the policy', () => {
  beforeAll(async () => {
    stage = await proofStage(running);
  });

  test('seals the event, consistent in chain, record, event and audit log', async () => {
    const event = await stage.record();
    const { status, body } = await stage.approve(event.id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      approvalId: expect.stringMatching(/^apr_/),
      decisionId: event.decisionId,
      approver: { id: 'boss', type: 'human', name: 'The boss' },
      result: 'approved',
      reason: 'Looks right.',
      evidenceLevel: 'AUDIT_READY',
      sealedHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      sealedAt: expect.any(String),
      createdAt: expect.any(String),
      receipt: expect.stringContaining('/receipts\n'),
    });

    const after = (await stage.get(`/decision-events/${event.id}`)).body.data;
    expect(after).toMatchObject({
      status: 'sealed',
      evidence: { id: event.evidence.id, status: 'sealed', chainHash: body.data.sealedHash, chainIndex: 0 },
    });

    const dpu = await dpuOf(event.id);
    expect(dpu).toMatchObject({ evidenceLevel: 'AUDIT_READY', domain: 'proof', index: 0, aiGenerated: true });
    const { content, previousHash, timestamp, hash } = dpu.record;
    expect(previousHash).toBeNull();
    expect(timestamp).toBe(body.data.sealedAt);
    expect(`sha256:${sha256(content + timestamp)}`).toBe(body.data.sealedHash);
    const said = JSON.parse(content);
    expect(canonicalJson(said)).toBe(content);
    // Public members are in plain text; all others are digests, one per member.
    const digests = (count: number) => Array(count).fill(expect.stringMatching(/^[\w-]{43}$/));
    expect(said).toMatchObject({
      kind: 'decision',
      service: new URL(running.config.publicUrl).host,
      center: { id: stage.center.id, domain: stage.center.centerDomain },
      _sd_alg: 'sha-256',
    });
    expect(said.event).toEqual({
      id: event.id,
      type: decision.type,
      actor: { type: 'ai_agent', _sd: digests(2) },
      action: { type: 'refund.grant', _sd: digests(3) },
      aiContext: { _sd: digests(4) },
      occurredAt: event.occurredAt,
      _sd: digests(2),
    });
    expect(said.approvals).toEqual([
      {
        id: body.data.approvalId,
        approver: { type: 'human', _sd: digests(2) },
        result: 'approved',
        approvedAt: body.data.createdAt,
        by: { kind: 'api_key', _sd: digests(1) },
        _sd: digests(1),
      },
    ]);
    expect(said.policy).toMatchObject({ id: 'pol_baseline', version: 1 });
    expect(said.policy.guards).toHaveLength(7);

    const sealed = await stage.events('dpu.sealed');
    expect(sealed.map(({ data }) => data)).toEqual([
      { dpuId: dpu.id, chainHash: hash, domain: 'proof', actorId: 'boss' },
    ]);
    expect((await stage.audits('decision.sealed')).map(({ target }) => target)).toEqual([event.id]);
  });

  test('links each record to the previous one', async () => {
    const event = await stage.record();
    const { body } = await stage.approve(event.id);
    const { record } = await dpuOf(event.id);
    const evidence = (await stage.get(`/evidence/${event.evidence.id}`)).body.data;
    expect(evidence.chain).toEqual({
      hash: body.data.sealedHash,
      previousHash: `sha256:${record.previousHash}`,
      index: 1,
      domain: 'proof',
    });
    expect(sha256(record.content + record.previousHash + record.timestamp)).toBe(record.hash);
  });

  test('updates the exact counts', async () => {
    const mine = await proofStage(running);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await mine.record()).id);
    await mine.approve(ids[0]);
    await mine.approve(ids[1], { result: 'rejected' });
    const total = async (query: string) =>
      (await mine.get(`/decision-events?limit=1&${query}`)).body.pagination.total;
    expect(await total('')).toBe(3);
    expect(await total('status=sealed')).toBe(1);
    expect(await total('status=rejected&type=agent_execution')).toBe(1);
    expect(await total('status=recorded')).toBe(1);
  });

  test('succeeds once under concurrent calls', async () => {
    const event = await stage.record();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        stage.approve(event.id, { approver: { id: `a${i}`, type: 'human' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([409, 'CONFLICT']);
    }
    const approvals = await running.app.db.acrossTenants.approval.findMany({ where: { eventId: event.id } });
    expect(approvals).toHaveLength(1);
  });

  test('is replayed by its Idempotency-Key', async () => {
    const event = await stage.record();
    const send = () =>
      stage.post(
        `/decision-events/${event.id}/approvals`,
        { approver: { id: 'b', type: 'human' }, result: 'approved' },
        { 'Idempotency-Key': `approve-${event.id}` },
      );
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(first.body.data).not.toHaveProperty('reason');
    expect(first.body.data.approver).toEqual({ id: 'b', type: 'human' });
  });
});

describe('other approvals', () => {
  beforeAll(async () => {
    stage = await proofStage(running);
  });

  test('a rejection is final and seals nothing', async () => {
    const event = await stage.record();
    const { status, body } = await stage.approve(event.id, { result: 'rejected' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ evidenceLevel: 'DOCUMENTED', sealedHash: null, sealedAt: null });
    expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('rejected');
    expect(refusal(await stage.approve(event.id, { approver: { id: 'x', type: 'human' } }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect((await stage.get(`/evidence/${event.evidence.id}`)).status).toBe(404);
    expect(await stage.events('dpu.sealed')).toEqual([]);
  });

  test('of an unknown event, or of another center, is not found', async () => {
    const other = await proofStage(running);
    const event = await other.record();
    for (const id of [event.id, 'evt_unknown', 'evt%20x']) {
      expect(refusal(await stage.approve(id))).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('lists every invalid field', async () => {
    const event = await stage.record();
    const { status, body } = await stage.approve(event.id, {
      approver: { type: 'robot' },
      result: 'maybe',
      reason: 'r'.repeat(10_001),
    });
    expect(status).toBe(422);
    expect(body.error.details.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
      'approver.id',
      'approver.type',
      'reason',
      'result',
    ]);
  });

  test('of an event that was changed in the database is rejected', async () => {
    const event = await stage.record();
    await runAs(
      running.database.adminUrl,
      `SET session_replication_role = replica;
       UPDATE decision_event SET large = '{"action.input": {"amount": 1000000}}' WHERE id = '${event.id}'`,
    );
    expect(refusal(await stage.approve(event.id))).toEqual([422, 'CHAIN_BROKEN']);
  });
});

test('approval times stay in order, whatever the clocks of several processes say', async () => {
  const strict = await proofStage(running);
  await strict.policy({ dualApproval: true });
  // Recorded by a process whose clock is an hour ahead of that of the process that takes the approvals.
  const ahead = new Date(Date.now() + 3_600_000);
  const ctx = { ...systemContext(running.app, 'test', strict.center.id), now: ahead };
  const { event } = await recordDecision(ctx, {
    type: 'custom',
    actor: { id: 'cron', type: 'system' },
    action: { type: 'a' },
  });
  await strict.approve(event.id, { approver: { id: 'first', type: 'human' } });
  const { body } = await strict.approve(event.id, { approver: { id: 'second', type: 'human' } });
  expect(body.data.sealedAt).toBe(ahead.toISOString());
  const document = (await strict.get(`/evidence/${event.evidence.id}/export`)).body;
  expect(
    document.evidence.approvals.map(({ approver }: { approver: { id: string } }) => approver.id),
  ).toEqual(['first', 'second']);
  expect((await verifyProof(JSON.stringify(document))).verdict).toBe('consistent');
});

describe('policies', () => {
  test('dual approval requires two different approvers', async () => {
    stage = await proofStage(running);
    await stage.policy({ dualApproval: true });
    const event = await stage.record();
    const first = await stage.approve(event.id);
    expect(first.body.data).toMatchObject({ evidenceLevel: 'DOCUMENTED', sealedHash: null });
    expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('approved');
    expect((await stage.get(`/evidence/${event.evidence.id}`)).status).toBe(404);
    expect(refusal(await stage.approve(event.id))).toEqual([409, 'CONFLICT']);
    const second = await stage.approve(event.id, { approver: { id: 'second', type: 'human' } });
    expect(second.body.data.evidenceLevel).toBe('AUDIT_READY');
    const evidence = (await stage.get(`/evidence/${event.evidence.id}`)).body.data;
    expect(evidence.approvals.map((each: { id: string }) => each.id)).toEqual([
      first.body.data.approvalId,
      second.body.data.approvalId,
    ]);
    expect(evidence.approval.id).toBe(second.body.data.approvalId);
  });

  test('a machine does not count as one of two approvers', async () => {
    stage = await proofStage(running);
    await stage.policy({ dualApproval: true });
    const event = await stage.record();
    await stage.approve(event.id);
    const machine = await stage.approve(event.id, { approver: { id: 'bot', type: 'system' } });
    expect(machine.body.data).toMatchObject({ evidenceLevel: 'DOCUMENTED', sealedHash: null });
    const second = await stage.approve(event.id, { approver: { id: 'second', type: 'human' } });
    expect(second.body.data.evidenceLevel).toBe('AUDIT_READY');
  });

  test('two concurrent approvers seal the event in one batch', async () => {
    stage = await proofStage(running);
    await stage.policy({ dualApproval: true });
    const event = await stage.record();
    const answers = await Promise.all(
      ['a', 'b', 'a', 'b'].map((id) => stage.approve(event.id, { approver: { id, type: 'human' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('sealed');
  });

  test('a system cannot approve a decision that a person must review', async () => {
    stage = await proofStage(running);
    const { id } = await stage.policy({ humanReviewForAi: true }, 'refund.*');
    const event = await stage.record();
    const refused = await stage.approve(event.id, { approver: { id: 'bot', type: 'system' } });
    expect(refusal(refused)).toEqual([422, 'POLICY_VIOLATION']);
    expect(refused.body.error.details).toEqual({ policy: id, rule: 'human_review' });
    expect((await stage.approve(event.id)).body.data.evidenceLevel).toBe('AUDIT_READY');
  });

  test('a minimum evidence level requires a reason', async () => {
    stage = await proofStage(running);
    const { id } = await stage.policy({ minimumEvidenceLevel: 'AUDIT_READY' });
    const event = (await stage.post('/decision-events', bare)).body.data;
    const refused = await stage.approve(event.id, { reason: undefined });
    expect(refusal(refused)).toEqual([422, 'POLICY_VIOLATION']);
    expect(refused.body.error.details).toEqual({ policy: id, rule: 'evidence_level' });
    expect((await stage.approve(event.id)).status).toBe(200);
  });
});
