import { createHash } from 'node:crypto';
import { type ProofDocument, parseVerifierKey, type Trust, verifyProof } from '@countersign/proof-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDifferences } from '../../src/domain/decisions/prove/verify/differences/compare.ts';
import { tamper } from '../checkpoints/chains.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Quirks, SoftPasskey } from '../helpers/authenticator.ts';
import { makeMember } from '../helpers/world.ts';
import { ask, registerPasskey, sign } from '../proof/signing.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';

let running: TestApp;
let stage: ProofStage;
let trust: Trust;
beforeAll(async () => {
  running = await startTestApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  stage = await proofStage(running);
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
});
afterAll(() => running.close());

const exported = async (id: string) =>
  (await stage.get(`/decision-events/${id}/export`)).body as ProofDocument;
async function lineOf(document: ProofDocument): Promise<string> {
  const { verdict, reason } = await verifyProof(JSON.stringify(document), trust);
  return `${verdict}: ${reason}`;
}
const person = (role: 'ADMIN' = 'ADMIN') => makeMember(running.app, stage.center.id, role);

async function signedBy(
  token: string,
  passkey: SoftPasskey,
  { result = 'approved', ...quirks }: Quirks & { result?: 'approved' | 'rejected' } = {},
) {
  const { id } = await stage.record();
  expect(await sign(running, token, passkey, { eventId: id, result }, quirks)).toHaveProperty('approvalId');
  return id as string;
}

test('a signed approval includes the registration of its passkey, and no other personal data', async () => {
  const { token, actor } = await person();
  const passkey = await registerPasskey(running, token);
  const document = await exported(await signedBy(token, passkey));
  expect(document.credentials).toHaveLength(1);
  const { record, disclosures, inclusion, head } = document.credentials![0]!;
  expect(Object.keys(JSON.parse(record.content)).sort()).toEqual([
    '_sd_alg',
    'by',
    'change',
    'entry',
    'fingerprint',
    'kind',
  ]);
  expect(disclosures.map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()).slice(1))).toEqual([
    ['id', actor.id],
  ]);
  expect(inclusion?.checkpoint).toMatch(/^proof\.example\/chains\/0\/audit\n/);
  expect(head).toBeTruthy();
  expect(JSON.stringify(document.credentials)).not.toContain(actor.email);
  expect(await lineOf(document)).toMatch(
    /^proven: .*; passkey of approvals\[0\] was 0 hours old; signed by \S+; outcome: none shown; named /,
  );

  const { credentials: _, ...without } = document;
  expect(await lineOf(without as ProofDocument)).toMatch(/^partial: missing: registration of a passkey/);
});

test('a signed rejection includes the registration of its passkey', async () => {
  const { token } = await person();
  const passkey = await registerPasskey(running, token);
  const document = await exported(await signedBy(token, passkey, { result: 'rejected' }));
  expect(document.credentials).toHaveLength(1);
  expect(await lineOf(document)).toMatch(
    /^proven: rejected by 1 person \(passkey\) at .*; passkey of approval was 0 hours old; signed by /,
  );
});

test('a decision signed by a passkey stays proven after the passkey is removed', async () => {
  const { token } = await person();
  const passkey = await registerPasskey(running, token);
  const id = await signedBy(token, passkey);
  const [{ id: own }] = (await ask(running, token, '{ passkeys { id } }')) as unknown as [{ id: string }];
  const remove = 'mutation ($id: ID!) { removePasskey(input: { id: $id }) { id } }';
  const removed = await ask(running, token, remove, { id: own });
  expect(removed).toEqual({ id: own });
  const document = await exported(id);
  expect(document.credentials).toHaveLength(1);
  expect(await lineOf(document)).toMatch(/^proven: /);
});

test('a public proof without signatures includes no registration', async () => {
  const { token } = await person();
  const id = await signedBy(token, await registerPasskey(running, token));
  const shown = (await (await running.fetch(`/verify/${id}/proof.json`)).json()) as ProofDocument;
  expect(shown.evidence.id).toBeTruthy();
  expect(shown).not.toHaveProperty('credentials');
});

test('with a passkey inserted by the operator, the proof is partial: its registration is missing', async () => {
  const { token, actor } = await person();
  await registerPasskey(running, token);
  const forged = new SoftPasskey('https://proof.example');
  const fingerprint = createHash('sha256').update(forged.spki).digest('hex');
  await tamper(running.database.adminUrl, [
    `INSERT INTO passkey (id, actor_id, credential_id, cose_key, public_key, fingerprint, name, transports)
     VALUES ('psk_forged', $1, $2, $3, $4, $5, 'Forged', '{}')`,
    [actor.id, forged.id, forged.cose, forged.spki, fingerprint],
  ]);
  const userHandle = Buffer.from(actor.id.replaceAll('-', ''), 'hex').toString('base64url');
  const document = await exported(await signedBy(token, forged, { userHandle }));
  expect(await lineOf(document)).toMatch(/^partial: missing: registration of a passkey/);
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data.differences).toEqual([
    expect.objectContaining({ table: 'approval', chain: 'proof', member: 'passkey' }),
    expect.objectContaining({ table: 'decision_event', chain: 'proof', member: 'credential' }),
    { table: 'passkey', id: 'psk_forged', chain: '0/audit', index: null, member: 'passkey' },
  ]);
});

test('a changed audit entry of a passkey is detected by its record', async () => {
  const { token, actor } = await person();
  await registerPasskey(running, token);
  const found = async () =>
    (await findDifferences(running.app.db.declared('acrossTenants'), null))
      .filter(({ table }) => table === 'audit_entry')
      .map(({ table, member }) => [table, member]);
  expect(await found()).toEqual([]);
  const change = (set: string) =>
    tamper(running.database.adminUrl, [
      `UPDATE audit_entry SET ${set} WHERE actor_id = $1 AND center_id IS NULL`,
      [actor.id],
    ]);
  for (const [set, back, member] of [
    [`actor_email = 'other@example.test'`, `actor_email = '${actor.email}'`, 'detail'],
    [`detail = detail || '{"name":"Other"}'`, `detail = detail || '{"name":"Key"}'`, 'detail'],
    [`detail = detail || '{"change":"removed"}'`, `detail = detail || '{"change":"registered"}'`, 'detail'],
  ] as const) {
    await change(set);
    expect(await found()).toEqual([['audit_entry', member]]);
    await change(back);
    expect(await found()).toEqual([]);
  }
  await change('salts = NULL');
  expect(await found()).toEqual([['audit_entry', 'salts']]);
});
