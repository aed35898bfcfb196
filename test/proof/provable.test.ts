/** Anything a verifier would refute is rejected before it is sealed, and nothing of it is written. */
import { createHash } from 'node:crypto';
import { type ProofDocument, parseVerifierKey, type Trust, verifyProof } from '@countersign/proof-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tamper } from '../checkpoints/chains.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Quirks, SoftPasskey } from '../helpers/authenticator.ts';
import { makeMember } from '../helpers/world.ts';
import { registerPasskey, sign, tryRegister } from './signing.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let passkey: SoftPasskey;
let trust: Trust;
beforeAll(async () => {
  running = await startTestApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  stage = await proofStage(running);
  passkey = await registerPasskey(running, stage.token);
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
});
afterAll(() => running.close());

async function lineOf(of: ProofStage, id: string): Promise<string> {
  const document = (await of.get(`/decision-events/${id}/export`)).body as ProofDocument;
  const { verdict, reason } = await verifyProof(JSON.stringify(document), trust);
  return `${verdict}: ${reason}`;
}
const statusOf = async (id: string) => (await stage.get(`/decision-events/${id}`)).body.data.status;

describe('client data signed by the browser', () => {
  const texts: [string, Quirks][] = [
    ['a duplicate member', { rewrite: (text) => text.replace('{', '{"type":"webauthn.get",') }],
    ['a byte-order mark', { rewrite: (text) => `\ufeff${text}` }],
    ['a number out of range', { rewrite: (text) => text.replace('{', '{"most":1e400,') }],
    ['a lone surrogate', { rewrite: (text) => text.replace('{', '{"note":"\\ud800",') }],
    [
      'more than 4096 characters',
      { rewrite: (text) => text.replace('{', `{"note":"${'x'.repeat(3_200)}",`) },
    ],
  ];
  test.each(texts)('with %s is rejected, and the decision stays pending', async (_, quirks) => {
    const { id } = await stage.record();
    const refused = await sign(running, stage.token, passkey, { eventId: id }, quirks);
    expect(['VALIDATION_ERROR', 'INVALID_CREDENTIALS']).toContain(refused.refused);
    expect(await statusOf(id)).toBe('recorded');
    expect(await sign(running, stage.token, passkey, { eventId: id })).toMatchObject({
      evidenceLevel: 'AUDIT_READY',
    });
    expect(await lineOf(stage, id)).toMatch(/^proven: /);
  });
});

describe('ids', () => {
  const wide = 'é'.repeat(200);
  const unassigned = 'ada\u{e0080}\u0378';
  test.each([
    ['of more than 256 bytes', wide],
    ['with an unassigned character', unassigned],
  ])('%s are rejected when recording, deciding and approving', async (_, id) => {
    const actor = { id, type: 'human' };
    const recorded = await stage.post('/decision-events', { type: 'custom', actor, action: { type: 'a' } });
    const decided = await stage.post('/agents/decide', {
      agent: { id },
      action: { type: 'a' },
      riskScore: 0,
    });
    const open = await stage.record();
    const approved = await stage.approve(open.id, { approver: { id, type: 'human' } });
    for (const { status, body } of [recorded, decided, approved])
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(await statusOf(open.id)).toBe('recorded');
  });
});

describe('dual approval', () => {
  test('a passkey that another person has registered is rejected', async () => {
    const other = await makeMember(running.app, stage.center.id);
    const twin = Object.assign(passkey.clone(), { id: Buffer.alloc(32, 7).toString('base64url') });
    expect((await tryRegister(running, other.token, twin)).answer).toMatchObject({ refused: 'CONFLICT' });
  });

  test('one passkey cannot approve twice, even for different people', async () => {
    const dual = await proofStage(running);
    await dual.policy({ dualApproval: true });
    const key = await registerPasskey(running, dual.token);
    const other = await makeMember(running.app, dual.center.id);
    const twin = Object.assign(key.clone(), { id: Buffer.alloc(32, 9).toString('base64url') });
    await tamper(running.database.adminUrl, [
      `INSERT INTO passkey (id, actor_id, credential_id, cose_key, public_key, fingerprint, name, transports)
       VALUES ('psk_twin', $1, $2, $3, $4, $5, 'Twin', '{}')`,
      [other.actor.id, twin.id, twin.cose, twin.spki, createHash('sha256').update(twin.spki).digest('hex')],
    ]);
    const { id } = await dual.record();
    expect(await sign(running, dual.token, key, { eventId: id })).toMatchObject({
      evidenceLevel: 'DOCUMENTED',
    });
    const userHandle = Buffer.from(other.actor.id.replaceAll('-', ''), 'hex').toString('base64url');
    expect(await sign(running, other.token, twin, { eventId: id }, { userHandle })).toMatchObject({
      refused: 'CONFLICT',
      message: 'This passkey has already approved the decision event.',
    });
    const { status } = (await dual.get(`/decision-events/${id}`)).body.data;
    expect(status).toBe('approved');
  });

  test('two approvals asserted by one API key are marked in the proof, and rejected if sessions are required', async () => {
    const dual = await proofStage(running);
    await dual.policy({ dualApproval: true }, 'payout');
    await dual.policy({ dualApproval: true, approverAuthentication: 'SESSION' }, 'transfer');
    const approveAs = (id: string, approver: string) =>
      dual.approve(id, { approver: { id: approver, type: 'human' } });
    const payout = await dual.record({ action: { type: 'payout' } });
    await approveAs(payout.id, 'ada');
    expect((await approveAs(payout.id, 'ben')).status).toBe(200);
    expect(await lineOf(dual, payout.id)).toMatch(
      /^proven: .*; 2 approvals asserted by one API key; .*; outcome/,
    );
    const transfer = await dual.record({ action: { type: 'transfer' } });
    for (const approver of ['ada', 'ben']) {
      const { status, body } = await approveAs(transfer.id, approver);
      expect([status, body.error.details.rule]).toEqual([422, 'approver_authentication']);
    }
  });
});

describe('the age of a passkey', () => {
  test('is checked at the approval and in the proof', async () => {
    const strict = await proofStage(running);
    await strict.policy({ approverAuthentication: 'SIGNED', passkeyAgeHours: 2 });
    const key = await registerPasskey(running, strict.token);
    const { id } = await strict.record();
    expect(await sign(running, strict.token, key, { eventId: id })).toMatchObject({
      refused: 'POLICY_VIOLATION',
      details: { rule: 'approver_authentication' },
    });
    await tamper(running.database.adminUrl, [
      `UPDATE passkey SET created_at = created_at - interval '3 hours' WHERE credential_id = $1`,
      [key.id],
    ]);
    expect(await sign(running, strict.token, key, { eventId: id })).toMatchObject({
      evidenceLevel: 'AUDIT_READY',
    });
    expect(await lineOf(strict, id)).toBe('refuted: the guard approver_authentication does not hold');
  });
});

test('a decision sealed under a policy that was loosened in the table and restored is refuted', async () => {
  const bank = await proofStage(running);
  const { id: policy } = await bank.policy({ dualApproval: true }, 'payout');
  const guards = (json: string) =>
    tamper(running.database.adminUrl, ['UPDATE policy SET guards = $2::jsonb WHERE id = $1', [policy, json]]);
  const { id } = await bank.record({ action: { type: 'payout' } });
  await guards('{"dualApproval":false}');
  expect((await bank.approve(id)).body.data.sealedAt).toBeTruthy();
  await guards('{"dualApproval":true}');
  expect(await lineOf(bank, id)).toBe('refuted: the guard dual_approval does not hold');
});

test('the deepest accepted input gives a readable export, also inside a mandate proof', async () => {
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
  const record = (levels: number) =>
    stage.post('/decision-events', {
      type: 'custom',
      actor: { id: 'x', type: 'human' },
      action: { type: 'deep', input: nested(levels) },
    });
  let deepest = 128;
  while ((await record(deepest)).status !== 201) deepest--;
  const { id } = (await record(deepest)).body.data;
  await stage.approve(id);
  expect(await lineOf(stage, id)).toMatch(/^proven: /);
  const document = (await stage.get(`/decision-events/${id}/export`)).body as ProofDocument;
  const { verdict } = await verifyProof(JSON.stringify({ ...document, mandateProof: document }), trust);
  expect(verdict).toBe('refuted');
});
