import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeActor, makePartner, makeStage } from '../helpers/world.ts';
import { freshAddress, invitationCalls, password } from './invitation-calls.ts';

test('invitations are limited per center and hour, and other centers are not affected', async () => {
  const bounded = await testApp({ env: { RATE_INVITATIONS: '3' } });
  const { invite } = invitationCalls(() => bounded);
  const [{ token }, neighbor] = [await makeStage(bounded.app), await makeStage(bounded.app)];
  for (let i = 0; i < 3; i++)
    expect(await invite(freshAddress(), token)).toMatchObject({ status: 'INVITED' });
  const refused = await bounded.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      query: `mutation ($email: String!) { inviteMember(input: { email: $email, role: PARENT }) { id } }`,
      variables: { email: freshAddress() },
    }),
  });
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter } }],
  });
  expect(retryAfter).toBeGreaterThan(3_500);
  expect(retryAfter).toBeLessThanOrEqual(3_600);
  expect(await bounded.app.db.acrossTenants.membership.count({ where: { status: 'INVITED' } })).toBe(3);
  expect(await invite(freshAddress(), neighbor.token)).toMatchObject({ status: 'INVITED' });
  // An hour later the quota is free again.
  await bounded.app.db.acrossTenants.mail.updateMany({
    data: { createdAt: new Date(Date.now() - 3_600_001) },
  });
  expect(await invite(freshAddress(), token)).toMatchObject({ status: 'INVITED' });
});

test('each kind of mail has its own quota per address, and notices have none', async () => {
  const bounded = await testApp({ env: { RATE_MAIL: '2' } });
  const { ask, invite } = invitationCalls(() => bounded);
  const { email } = await makeActor(bounded.app, { password });
  const partner = await makePartner(bounded.app);
  const { token } = await makeStage(bounded.app);
  const forget = (address: string) =>
    ask(`mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`, { email: address });
  for (const address of [email!, freshAddress()]) {
    // Ten anonymous requests neither fill a mailbox nor lock its owner out: the first link still works.
    for (let i = 0; i < 10; i++) expect(await forget(address)).toBe(true);
    const resets = { recipient: address, kind: 'password_reset' };
    expect(await bounded.app.db.acrossTenants.mail.count({ where: resets })).toBe(1);
    await bounded.app.db.acrossTenants.mail.updateMany({
      where: resets,
      data: { createdAt: new Date(Date.now() - 1_800_001) },
    });
    expect(await forget(address)).toBe(true);
    expect(await bounded.app.db.acrossTenants.mail.count({ where: resets })).toBe(2);
    for (const by of [token, (await makeStage(bounded.app)).token])
      expect(await invite(address, by)).toMatchObject({ status: 'INVITED' });
    expect(await invite(address, (await makeStage(bounded.app)).token)).toBe('RATE_LIMITED');
    const created = await bounded.call('POST', '/partner/centers', {
      token: partner.token,
      body: { name: 'Branch', tenantType: 'CENTER', vertical: 'welfare', adminEmail: address },
    });
    expect([created.status, created.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(3_500);
  }
  expect(await bounded.app.db.acrossTenants.center.count({ where: { name: 'Branch' } })).toBe(0);
  // Changes to one's own account are reported immediately.
  const signedIn = (await bounded.call('POST', '/auth/login', { body: { email, password } })).body.data;
  const changed = await ask(
    `mutation { changePassword(input: { currentPassword: "${password}", newPassword: "a password that is new" }) }`,
    {},
    signedIn.accessToken,
  );
  expect(changed).toBe(true);
  const notice = await bounded.app.db.acrossTenants.mail.findFirstOrThrow({
    where: { kind: 'password_changed' },
  });
  expect(notice.nextAttemptAt!.getTime()).toBeLessThanOrEqual(Date.now());
});

test('the default quotas are 50 invitations and 10 mails', async () => {
  const { config } = await testApp({ env: { RATE_INVITATIONS: '', RATE_MAIL: '' } });
  expect(config.rates).toMatchObject({ invitations: 50, mail: 10 });
});
