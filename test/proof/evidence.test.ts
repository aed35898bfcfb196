import { createHash } from 'node:crypto';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { decision } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
});
afterAll(() => running.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const refusal = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

test('evidence is read from the sealed record, and not available before', async () => {
  const event = await stage.record();
  const path = `/evidence/${event.evidence.id}`;
  expect(refusal(await stage.get(path))).toEqual([404, 'NOT_FOUND']);
  const approval = (await stage.approve(event.id)).body.data;
  const { body } = await stage.get(path);
  expect(body.data).toEqual({
    id: event.evidence.id,
    decisionId: event.decisionId,
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    event: { ...decision, id: event.id, decisionId: event.decisionId, occurredAt: event.occurredAt },
    approval: {
      id: approval.approvalId,
      approver: approval.approver,
      result: 'approved',
      reason: 'Looks right.',
      by: { kind: 'api_key', id: expect.stringMatching(/^key_/) },
      approvedAt: approval.createdAt,
    },
    chain: { hash: approval.sealedHash, previousHash: null, index: 0, domain: 'proof' },
    sealedAt: approval.sealedAt,
    createdAt: event.createdAt,
  });
  const other = await proofStage(running);
  expect(refusal(await other.get(path))).toEqual([404, 'NOT_FOUND']);
});

test('evidence exports as a document from which everything can be recomputed', async () => {
  const event = await stage.record();
  expect(refusal(await stage.get(`/evidence/${event.evidence.id}/export`))).toEqual([404, 'NOT_FOUND']);
  const { sealedHash } = (await stage.approve(event.id)).body.data;
  const { status, headers, body } = await stage.get(`/evidence/${event.evidence.id}/export`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('application/ld+json');
  expect(body).toMatchObject({
    '@context': expect.stringMatching(/\/decision-proof\/v2$/),
    '@type': 'DecisionProof',
    version: '2.0',
    evidence: { id: event.evidence.id, decisionId: event.decisionId, status: 'sealed' },
    verification: {
      hashAlgorithm: 'SHA-256',
      chainDomain: 'proof',
      chainIndex: 1,
      chainHash: sealedHash,
      verifyUrl: `${running.config.publicUrl}/verify/${event.id}`,
    },
  });
  const { content, previousHash, timestamp } = body.record;
  expect(`sha256:${sha256(content + previousHash + timestamp)}`).toBe(sealedHash);
  expect(await verifyProof(JSON.stringify(body))).toMatchObject({ verdict: 'consistent' });
  const other = await proofStage(running);
  expect(refusal(await other.get(`/evidence/${event.evidence.id}/export`))).toEqual([404, 'NOT_FOUND']);
});

test('the status of a record distinguishes pending from sealed', async () => {
  const event = await stage.record();
  const { dpuId } = await running.app.db.acrossTenants.decisionEvent.findUniqueOrThrow({
    where: { id: event.id },
  });
  expect((await stage.get(`/dpu/${dpuId}`)).body.data).toEqual({
    id: dpuId,
    status: 'pending',
    evidenceLevel: 'DRAFT',
    chainHash: null,
    chainIndex: null,
    domain: 'proof',
    createdAt: event.createdAt,
    sealedAt: null,
  });
  const { sealedHash, sealedAt } = (await stage.approve(event.id)).body.data;
  expect((await stage.get(`/dpu/${dpuId}`)).body.data).toMatchObject({
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    chainHash: sealedHash,
    sealedAt,
  });
  expect(refusal(await stage.get('/dpu/dpu_unknown'))).toEqual([404, 'NOT_FOUND']);
});
