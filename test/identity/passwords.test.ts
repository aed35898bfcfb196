import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeCenter, makeMember, makeStage } from '../helpers/world.ts';

const password = 'correct horse battery';
const another = 'staple of the horse';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

/** The value of the only field, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token?: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const forget = (email: string, at = house) =>
  ask(
    `mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`,
    { email },
    undefined,
    at,
  );
const reset = (token: string, secret = password, at = house) =>
  ask(
    `mutation ($token: String!, $secret: String!) { resetPassword(input: { token: $token, password: $secret }) }`,
    { token, secret },
    undefined,
    at,
  );
const changePassword = (current: string, next: string, by?: string, at = house) =>
  ask(
    `mutation ($current: String!, $next: String!) {
      changePassword(input: { currentPassword: $current, newPassword: $next }) }`,
    { current, next },
    by,
    at,
  );
const signIn = (email: string | null, secret: string, at = house) =>
  at.call('POST', '/auth/login', { body: { email, password: secret } });

/** The token mailed to an address on request. */
async function tokenFor(email: string, count = 1): Promise<string> {
  expect(await forget(email)).toBe(true);
  return tokenIn(await mailTo(house, email, 'Set a new password', count));
}

describe('a forgotten password', () => {
  test('is reset with the mailed link; all sessions end and the person is notified', async () => {
    const { app, call } = house;
    const { center } = await makeStage(app);
    const { actor, token } = await makeMember(app, center.id, 'PARENT', { password });
    const { accessToken, refreshToken } = (await signIn(actor.email, password)).body.data;
    expect(await reset(await tokenFor(actor.email!), another)).toBe(true);
    for (const session of [token, accessToken]) {
      expect((await call('GET', '/auth/me', { token: session })).status).toBe(401);
    }
    expect((await call('POST', '/auth/refresh-token', { body: { refreshToken } })).status).toBe(401);
    expect((await signIn(actor.email, password)).status).toBe(401);
    expect((await signIn(actor.email, another)).status).toBe(200);
    expect((await mailTo(house, actor.email!, 'was changed')).links).toEqual([]);
    const audits = await app.db.acrossTenants.auditEntry.findMany({
      where: { actorId: actor.id, type: 'auth.session_revoked' },
      orderBy: { centerId: { sort: 'asc', nulls: 'first' } }, // center by center, as they are written
    });
    expect(audits.map(({ detail, centerId }) => ({ detail, centerId }))).toEqual([
      { detail: { reason: 'password reset', sessions: 2 }, centerId: null },
      { detail: { reason: 'password reset' }, centerId: center.id },
      { detail: { reason: 'password reset' }, centerId: center.id },
    ]);
  });

  test('is reset once per link, even by concurrent callers, which invalidates all other links', async () => {
    const { email } = await makeActor(house.app, { password });
    const first = await tokenFor(email!);
    const second = await tokenFor(email!, 2);
    const secrets = Array.from({ length: 4 }, (_, i) => `${another} ${i}`);
    const answers = await Promise.all(secrets.map((secret) => reset(second, secret)));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect((await signIn(email, secrets[answers.indexOf(true)]!)).status).toBe(200);
    expect(await reset(second)).toBe('UNAUTHORIZED');
    expect(await reset(first)).toBe('UNAUTHORIZED');
  });

  test('cannot be reset after an hour, with a weak password or with an invitation link', async () => {
    const { app } = house;
    const { email } = await makeActor(app, { password });
    const token = await tokenFor(email!);
    expect(await reset(token, 'too short')).toBe('VALIDATION_ERROR');
    const link = await app.db.acrossTenants.linkToken.findUniqueOrThrow({
      where: { tokenHash: sha256Hex(token) },
    });
    expect(link.expiresAt.getTime() - link.createdAt.getTime()).toBe(3_600_000);
    await app.db.acrossTenants.linkToken.update({
      where: { tokenHash: link.tokenHash },
      data: { expiresAt: new Date() },
    });
    expect(await reset(token)).toBe('UNAUTHORIZED');

    const { token: admin } = await makeStage(app);
    const invited = `invited-${email}`;
    await ask(
      `mutation ($email: String!) { inviteMember(input: { email: $email, role: PARENT }) { id } }`,
      { email: invited },
      admin,
    );
    expect(await reset(tokenIn(await mailTo(house, invited)))).toBe('UNAUTHORIZED');
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('of several accounts with one address: each account gets its own link', async () => {
    const { app } = house;
    const parent = await makeActor(app, { name: 'Paula', password });
    const child = await makeActor(app, { name: 'Charlie', email: parent.email, password: another });
    expect(await forget(parent.email!)).toBe(true);
    const { text, links } = await mailTo(house, parent.email!);
    expect(links).toHaveLength(2);
    expect(text).toContain('for Charlie');
    const fresh = 'a password of his own';
    expect(await reset(links[1]!.split('#')[1]!, fresh)).toBe(true);
    const signedIn = async (secret: string) =>
      (await signIn(parent.email, secret)).body.data?.actor.id ?? null;
    expect(await signedIn(password)).toBe(parent.id);
    expect(await signedIn(fresh)).toBe(child.id);
    expect(await signedIn(another)).toBeNull();
  });

  test('does not reveal whether an address has an account', async () => {
    const { app } = house;
    const { email } = await makeActor(app, { password });
    const unknown = `nobody-${email}`;
    const answers = await Promise.all(
      [email, unknown].map((address) =>
        house.graphql(`mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`, {
          email: address,
        }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.data).toEqual({ requestPasswordReset: true });
    // Unknown addresses are looked up in the background, so timing reveals nothing, and get no mail.
    await mailTo(house, email!);
    const status = async () =>
      (await app.db.acrossTenants.mail.findFirst({ where: { recipient: unknown } }))!.status;
    await eventually(async () => (await status()) === 'DROPPED');
    expect(await forget('no address')).toBe('INVALID_EMAIL');
  });
});

describe('changePassword', () => {
  test('requires the current password and ends all other sessions', async () => {
    const { app, call } = house;
    const { center } = await makeStage(app);
    const { actor, token } = await makeMember(app, center.id, 'PARENT', { password });
    const elsewhere = (await signIn(actor.email, password)).body.data;
    expect(await changePassword('not the password', another, token)).toBe('INVALID_CREDENTIALS');
    expect(await changePassword(password, 'too short', token)).toBe('VALIDATION_ERROR');
    expect(await changePassword(password, another)).toBe('UNAUTHORIZED');
    expect((await call('GET', '/auth/me', { token: elsewhere.accessToken })).status).toBe(200);

    expect(await changePassword(password, another, token)).toBe(true);
    expect((await call('GET', '/auth/me', { token })).status).toBe(200);
    expect((await call('GET', '/auth/me', { token: elsewhere.accessToken })).status).toBe(401);
    const refreshed = await call('POST', '/auth/refresh-token', {
      body: { refreshToken: elsewhere.refreshToken },
    });
    expect(refreshed.status).toBe(401);
    expect((await signIn(actor.email, password)).status).toBe(401);
    expect((await signIn(actor.email, another)).status).toBe(200);
    const audits = await app.db.acrossTenants.auditEntry.findMany({
      where: { actorId: actor.id, type: 'auth.session_revoked' },
    });
    expect(audits.map(({ detail, centerId }) => ({ detail, centerId }))).toEqual([
      { detail: { reason: 'password changed' }, centerId: center.id },
    ]);
  });

  test('called twice concurrently succeeds once', async () => {
    const { actor, token } = await makeMember(house.app, (await makeCenter(house.app)).id, 'PARENT', {
      password,
    });
    const secrets = [`${another} 1`, `${another} 2`];
    const answers = await Promise.all(secrets.map((secret) => changePassword(password, secret, token)));
    expect(answers.map(String).toSorted()).toEqual(['INVALID_CREDENTIALS', 'true']);
    expect((await signIn(actor.email, secrets[answers.indexOf(true)]!)).status).toBe(200);
  });

  test('is rejected for people without a password', async () => {
    const { token } = await makeMember(house.app, (await makeCenter(house.app)).id, 'PARENT');
    expect(await changePassword(password, another, token)).toBe('INVALID_CREDENTIALS');
  });
});

test('reset links are limited per address; password changes and resets count as sign-in attempts', async () => {
  const limited = await testApp({ env: { RATE_AUTH: '2' } });
  for (let i = 0; i < 2; i++) expect(await reset('made up', password, limited)).toBe('UNAUTHORIZED');
  expect(await reset('made up', password, limited)).toBe('RATE_LIMITED');

  const { actor, token } = await makeMember(limited.app, (await makeCenter(limited.app)).id, 'PARENT', {
    password,
  });
  expect(await changePassword('not the password', another, token, limited)).toBe('INVALID_CREDENTIALS');
  expect((await signIn(actor.email, 'not the password', limited)).status).toBe(401);
  expect(await changePassword(password, another, token, limited)).toBe('RATE_LIMITED');
  expect(await forget(actor.email!, limited)).toBe('RATE_LIMITED');
  for (let i = 0; i < 2; i++) expect(await forget('unknown@example.test', limited)).toBe(true);
  expect(await forget('unknown@example.test', limited)).toBe('RATE_LIMITED');
});
