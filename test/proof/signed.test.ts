import { disclose } from '@countersign/proof-kit/disclose';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { SoftPasskey } from '../helpers/authenticator.ts';
import { makeMember } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let passkey: SoftPasskey;

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
  passkey = await stage.registerPasskey();
});
afterAll(() => running.close());

async function ask(document: string, variables: Record<string, unknown>, token = stage.token) {
  const { data, errors } = await running.graphql(document, variables, token);
  return errors
    ? { refused: errors[0]!.extensions.code, details: errors[0]!.extensions.details }
    : Object.values(data)[0];
}

interface Said {
  eventId: string;
  result: string;
  reason?: string;
}

const prepare = (input: Said, token?: string) =>
  ask(
    `mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }`,
    { input },
    token,
  ) as Promise<{ approvalId: string; options: { challenge: string; rpId: string }; refused?: string }>;
const approve = (input: Record<string, unknown>, token?: string) =>
  ask(
    `mutation ($input: ApproveDecisionInput!) {
      approveDecision(input: $input) { approvalId evidenceLevel approver { id } } }`,
    { input },
    token,
  );

test('a passkey signs exactly the decision it approves, which the export alone proves', async () => {
  const event = await stage.record();
  const said = { eventId: event.id, result: 'approved', reason: 'I looked at it.' };
  const { approvalId, options } = await prepare(said);
  const approved = await approve({ ...said, approvalId, assertion: passkey.answer(options) });
  expect(approved).toEqual({
    approvalId,
    evidenceLevel: 'AUDIT_READY',
    approver: { id: stage.admin.actor.id },
  });

  const { body } = await stage.get(`/evidence/${event.evidence.id}/export`);
  expect(body.evidence.approval).toMatchObject({
    approver: { id: stage.admin.actor.id, type: 'human' },
    by: { kind: 'passkey', id: stage.admin.actor.id },
    signature: { type: 'webauthn', credentialId: passkey.id, publicKey: passkey.spki.toString('base64url') },
    credential: {
      chain: `${new URL(running.config.publicUrl).host}/chains/0/audit`,
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    },
  });
  expect(await verifyProof(JSON.stringify(body))).toMatchObject({ verdict: 'consistent' });
  // The text and the approver are signed: another text has no valid signature.
  const { approvals } = disclose(body.record.content, body.disclosures);
  expect(approvals).toHaveLength(1);
});

test('a prepared approval can be used once, for that text and that person', async () => {
  const event = await stage.record();
  const other = await makeMember(running.app, stage.center.id);
  const said = { eventId: event.id, result: 'approved', reason: 'Fine.' };
  const refused = async (input: Record<string, unknown>, token?: string) =>
    ((await approve(input, token)) as { refused?: string }).refused;

  const first = await prepare(said);
  const assertion = passkey.answer(first.options);
  const { approvalId } = first;
  expect(await refused({ ...said, approvalId, assertion }, other.token)).toBe('CONFLICT');
  expect(await refused({ ...said, reason: 'Other words.', approvalId, assertion })).toBe('VALIDATION_ERROR');
  expect(await refused({ ...said, approvalId, assertion })).toBe('CONFLICT');
  expect(await refused({ ...said, approvalId })).toBe('VALIDATION_ERROR');

  const second = await prepare(said);
  const forged = passkey.answer(second.options, { forged: true });
  expect(await refused({ ...said, approvalId: second.approvalId, assertion: forged })).toBe(
    'INVALID_CREDENTIALS',
  );
  const third = await prepare(said);
  const elsewhere = passkey.answer(second.options);
  expect(await refused({ ...said, approvalId: third.approvalId, assertion: elsewhere })).toBe(
    'INVALID_CREDENTIALS',
  );
  expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('recorded');
  expect((await prepare({ ...said, result: 'rejected' }, other.token)).refused).toBe('CONFLICT');
});

test('a policy can require sessions or signatures', async () => {
  const asked = await proofStage(running);
  const mine = await stage.registerPasskey(asked.token);
  await asked.policy({ approverAuthentication: 'SIGNED' });
  const event = await asked.record();
  const violation = {
    refused: 'POLICY_VIOLATION',
    details: expect.objectContaining({ rule: 'approver_authentication' }),
  };
  const said = { eventId: event.id, result: 'approved' };
  expect(await approve(said, asked.token)).toMatchObject(violation);
  const byKey = await asked.approve(event.id);
  expect([byKey.status, byKey.body.error.details.rule]).toEqual([422, 'approver_authentication']);
  const { approvalId, options } = await prepare(said, asked.token);
  const signed = await approve({ ...said, approvalId, assertion: mine.answer(options) }, asked.token);
  expect(signed).toMatchObject({ evidenceLevel: 'AUDIT_READY' });
});
