/** Seals, policy changes and removals of passkeys: their times show the order in which they happened. */
import { type ProofDocument, parseVerifierKey, type Trust, verifyProof } from '@countersign/proof-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCenter } from '../../src/domain/centers/update.ts';
import { removeOtherPasskeys } from '../../src/domain/passkeys/manage-passkeys.ts';
import { createPolicy, updatePolicy } from '../../src/domain/policies/edit.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { asSystem } from '../export/world.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { registerPasskey, sign } from './signing.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
let trust: Trust;
beforeAll(async () => {
  running = await startTestApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  stage = await proofStage(running);
});
afterAll(() => running.close());

async function verdictOf(of: ProofStage, id: string): Promise<string> {
  const document = (await of.get(`/decision-events/${id}/export`)).body as ProofDocument;
  const { verdict, reason } = await verifyProof(JSON.stringify(document), trust);
  return verdict === 'proven' ? verdict : `${verdict}: ${reason}`;
}

/** The context of a call that began then, or of a process with that clock. */
const begunAt = (of: ProofStage, milliseconds: number) => ({
  ...asSystem(running.app, of.center.id),
  now: new Date(Date.now() + milliseconds),
});

const sealed = async (of: ProofStage, type: string) => {
  const { id } = await of.record({ action: { type } });
  expect((await of.approve(id)).body.data.sealedAt).toBeTruthy();
  return id as string;
};

test('a policy change requested before a seal and written after it does not apply to the seal', async () => {
  const { id: policy } = await stage.policy({ dualApproval: false }, 'order.one');
  const asked = begunAt(stage, -200);
  const id = await sealed(stage, 'order.one');
  await updatePolicy(
    { ...asked, now: new Date(Date.now() - 200) },
    { id: policy, guards: { dualApproval: true } },
  );
  await createPolicy(begunAt(stage, -200), {
    scope: 'CENTER',
    name: 'New',
    actionPattern: 'order.*',
    guards: { riskRequired: true },
  });
  expect(await verdictOf(stage, id)).toBe('proven');
});

test('a seal is never dated before the policies applied to it, whatever the clocks say', async () => {
  const { id: policy } = await stage.policy({ dualApproval: true }, 'order.two');
  await updatePolicy(begunAt(stage, 3_000), { id: policy, guards: { minimumEvidenceLevel: 'DRAFT' } });
  expect(await verdictOf(stage, await sealed(stage, 'order.two'))).toBe('proven');
  await updatePolicy(begunAt(stage, 6_000), { id: policy, active: false });
  expect(await verdictOf(stage, await sealed(stage, 'order.two'))).toBe('proven');
});

test('a center that moves is subject to the policies of its country at the time of each seal', async () => {
  const moving = await proofStage(running);
  await updateCenter(begunAt(moving, 0), { country: 'NO' });
  await createPolicy(begunAt(moving, 0), {
    scope: 'COUNTRY',
    country: 'SE',
    name: 'Sweden',
    actionPattern: 'move.*',
    guards: { minimumEvidenceLevel: 'DOCUMENTED' },
  });
  const before = await sealed(moving, 'move.one');
  await updateCenter(begunAt(moving, -200), { country: 'SE' });
  const after = await sealed(moving, 'move.two');
  await updateCenter(begunAt(moving, 3_000), { country: 'NO' });
  const home = await sealed(moving, 'move.three');
  expect(await Promise.all([before, after, home].map((id) => verdictOf(moving, id)))).toEqual([
    'proven',
    'proven',
    'proven',
  ]);
});

test('the removal of a passkey is never dated before its signatures', async () => {
  const key = await registerPasskey(running, stage.token);
  const { id } = await stage.record();
  expect(await sign(running, stage.token, key, { eventId: id })).toMatchObject({
    evidenceLevel: 'AUDIT_READY',
  });
  const ctx = begunAt(stage, -500);
  const { id: owner, email } = stage.admin.actor;
  await transact.acrossTenants(ctx, (work) => removeOtherPasskeys(ctx, work, { id: owner, email }, []));
  const { rows } = await running.superuser.query(
    `SELECT p.removed_at >= a.created_at AS ordered FROM passkey p JOIN approval a ON a.event_id = $2
     WHERE p.credential_id = $1`,
    [key.id, id],
  );
  expect(rows).toEqual([{ ordered: true }]);
  expect(await verdictOf(stage, id)).toBe('proven');
});

test('while a policy changes, every decision is sealed under the version that its proof shows', async () => {
  const busy = await proofStage(running);
  const { id: policy } = await busy.policy({ dualApproval: false }, 'busy');
  const ids = await Promise.all(
    Array.from({ length: 40 }, async () => (await busy.record({ action: { type: 'busy' } })).id as string),
  );
  const approvals = Promise.all(ids.map((id) => busy.approve(id)));
  for (let round = 0; round < 8; round++) {
    const guards = { dualApproval: round % 2 === 0 };
    await updatePolicy(asSystem(running.app, busy.center.id), { id: policy, guards });
  }
  const answers = await approvals;
  const done = ids.filter((_, i) => answers[i]!.body.data?.sealedAt);
  for (const id of ids.filter((each) => !done.includes(each)))
    if ((await busy.approve(id, { approver: { id: 'second', type: 'human' } })).body.data?.sealedAt)
      done.push(id);
  expect(done.length).toBeGreaterThan(0);
  for (const id of done) expect(await verdictOf(busy, id)).toBe('proven');
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: busy.token });
  expect(body.data).toMatchObject({ valid: true });
});
