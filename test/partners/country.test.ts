import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makePartner, makeToken } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';

let running: TestApp;
let root: string;
beforeAll(async () => {
  running = await startTestApp();
  const actor = await makeActor(running.app, { platformAdmin: true });
  root = await makeToken(running.app, actor.id, null);
});
afterAll(() => running.close());

const POLICY = `mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }`;
const MOVE = `mutation ($input: UpdateCenterInput!) { updateCenter(input: $input) { settings } }`;

/** A partner with one center without a country, and a policy of Luxembourg that requires two approvers. */
async function makeScene(actionPattern: string) {
  const owner = await makePartner(running.app, 'PARTNER_ADMIN', 0);
  const stage = await proofStage(running, { partnerId: owner.partner.id });
  await running.app.db.acrossTenants.center.update({
    where: { id: stage.center.id },
    data: { settings: { timezone: 'UTC' } },
  });
  const input = {
    name: 'Luxembourg',
    scope: 'COUNTRY',
    country: 'LU',
    actionPattern,
    guards: { dualApproval: true, enforced: ['dual_approval'] },
  };
  const { data, errors } = await running.graphql(POLICY, { input }, root);
  expect(errors).toBeUndefined();
  const set = (country: unknown) =>
    running.call('PATCH', '/partner/settings', { token: owner.token, body: { country } });
  /** The status after one approval, and the names of the policies in its proof. */
  const sealed = async () => {
    const event = await stage.record({ action: { type: actionPattern, input: {} } });
    await stage.approve(event.id);
    const { body } = await stage.get(`/decision-events/${event.id}`);
    return { id: event.id, evidenceId: event.evidence.id, status: body.data.status };
  };
  const policiesOf = async ({ evidenceId }: { evidenceId: string }) => {
    const { body } = await stage.get(`/evidence/${evidenceId}/export`);
    return body.policies.map(
      ({ record }: { record: { content: string } }) => JSON.parse(record.content).name,
    );
  };
  const move = async (change: object, token = stage.token) =>
    (await running.graphql(MOVE, { input: change }, token)).errors?.[0]?.extensions.code ?? 'moved';
  return { ...stage, owner, policyId: data.createPolicy.id, set, sealed, policiesOf, move };
}

test('a center without a country is subject to the policies of its partner’s country', async () => {
  const { center, set, sealed, policiesOf, approve, token } = await makeScene('inherit.one');
  const before = await sealed();
  expect(before.status).toBe('sealed');
  expect((await set('LU')).body.data).toMatchObject({ country: 'LU' });
  const after = await sealed();
  expect(after.status).toBe('approved');
  await approve(after.id, { approver: { id: 'second', type: 'human' } });
  // Each proof contains the policies in force when it was sealed.
  expect(await policiesOf(before)).not.toContain('Luxembourg');
  expect(await policiesOf(after)).toContain('Luxembourg');
  const { body } = await running.call('GET', '/dpu/verify-chain', { token });
  expect(body.data).toMatchObject({ valid: true });
  const [entry] = await running.app.db
    .forCenter(center.id)
    .auditEntry.findMany({ where: { type: 'center.updated' } });
  expect(entry).toMatchObject({
    target: String(center.id),
    detail: { from: { partnerCountry: null }, to: { partnerCountry: 'LU' } },
  });
});

test('neither the partner nor the center can leave a country that enforces a policy', async () => {
  const { set, sealed, move, owner } = await makeScene('inherit.two');
  await set('LU');
  expect((await set('BE')).body.error.code).toBe('FORBIDDEN');
  expect((await set(null)).body.error.code).toBe('FORBIDDEN');
  expect(await move({ country: 'BE' })).toBe('FORBIDDEN');
  expect((await sealed()).status).toBe('approved');
  const made = await running.call('POST', '/partner/centers', {
    token: owner.token,
    body: { name: 'New', tenantType: 'CENTER', vertical: 'education', adminEmail: 'new@lu.test' },
  });
  expect(made.body.data.settings).toMatchObject({ partnerCountry: 'LU' });
});

test('the country of the center itself takes precedence', async () => {
  const { center, set, sealed } = await makeScene('inherit.three');
  await running.app.db.acrossTenants.center.update({
    where: { id: center.id },
    data: { settings: { timezone: 'UTC', country: 'BE' } },
  });
  await set('LU');
  expect((await sealed()).status).toBe('sealed');
});

test.each(['lu', 'LUX', 7, ''])('%j is not a country', async (country) => {
  const { token } = await makePartner(running.app);
  const { body } = await running.call('PATCH', '/partner/settings', { token, body: { country } });
  expect(body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('ISO 3166'),
  });
});
