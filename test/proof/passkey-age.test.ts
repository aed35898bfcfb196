import { parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import { tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { ask, registerPasskey, sign } from './signing.ts';
import { proofStage } from './stage.ts';

const CREATE = `mutation ($guards: PolicyGuardsInput!) {
  createPolicy(input: { scope: CENTER, name: "Old keys", actionPattern: "*", guards: $guards }) {
    id guards { approverAuthentication passkeyAgeHours } } }`;

async function signing(guards: object) {
  const running = await testApp();
  const stage = await proofStage(running);
  const passkey = await registerPasskey(running, stage.token);
  const created = await ask(running, stage.token, CREATE, { guards });
  const approve = async () => {
    const { id } = await stage.record();
    return { id, answer: await sign(running, stage.token, passkey, { eventId: id }) };
  };
  /** What an operator can do to make a new passkey look old. */
  const backdate = () =>
    tamper(running.database.adminUrl, [`UPDATE passkey SET created_at = created_at - interval '25 hours'`]);
  return { running, stage, passkey, created, approve, backdate };
}

const signed = { approverAuthentication: 'SIGNED', passkeyAgeHours: 24 };

test('a passkey younger than the policy requires does not count as a signature', async () => {
  const { created, approve, running, stage } = await signing(signed);
  expect(created).toMatchObject({ guards: signed });
  expect((await approve()).answer).toMatchObject({
    refused: 'POLICY_VIOLATION',
    message: 'The policy does not allow this: approvers at least SIGNED, passkeys at least 24 hours old.',
    details: { rule: 'approver_authentication' },
  });
  const effective = await ask(
    running,
    stage.token,
    'query { effectivePolicy(actionType: "refund.grant") { guards { passkeyAgeHours } } }',
  );
  expect(effective).toMatchObject({ guards: { passkeyAgeHours: 24 } });
});

test('a passkey younger than the policy requires does not fill a seat that requires a signature', async () => {
  const { approve } = await signing({
    quorum: [{ count: 1, authentication: 'SIGNED' }],
    passkeyAgeHours: 24,
  });
  expect((await approve()).answer).toMatchObject({
    refused: 'POLICY_VIOLATION',
    details: { rule: 'approver_authentication' },
  });
});

test('ages from 0 to 720 hours are accepted', async () => {
  const { running, stage } = await signing({ passkeyAgeHours: 0 });
  for (const passkeyAgeHours of [-1, 721])
    expect(await ask(running, stage.token, CREATE, { guards: { passkeyAgeHours } })).toMatchObject({
      refused: 'VALIDATION_ERROR',
    });
  expect(await ask(running, stage.token, CREATE, { guards: { passkeyAgeHours: 720 } })).toMatchObject({
    guards: { passkeyAgeHours: 720 },
  });
});

test('a backdated passkey row is detected by its registration, in the export and by verify-chain', async () => {
  const { approve, backdate, running, stage } = await signing(signed);
  await backdate();
  const { id, answer } = await approve();
  expect(answer.refused).toBeUndefined();
  const document = (await stage.get(`/decision-events/${id}/export`)).body;
  const published = await (await running.fetch('/.well-known/countersign-keys.json')).json();
  const keys = (published as { keys: { vkey: string }[] }).keys.map(({ vkey }) => parseVerifierKey(vkey));
  const { verdict, reason } = await verifyProof(JSON.stringify(document), { keys });
  expect(`${verdict}: ${reason}`).toBe('refuted: the guard approver_authentication does not hold');
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data.differences).toContainEqual(
    expect.objectContaining({ table: 'decision_event', id, chain: 'proof', member: 'policy' }),
  );
});
