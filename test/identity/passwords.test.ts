import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/domain/housekeeping/sweep.ts';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import {
  type ActorOptions,
  makeActor,
  makeCenter,
  makeMember,
  makeMembership,
  makePartner,
  makeStage,
  makeToken,
} from '../helpers/world.ts';

const password = 'correct horse battery';
const another = 'staple of the horse';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

/** What the only field answered, or the code of the refusal. */
async function ask(document: string, variables: Record<string, unknown>, token?: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const createToken = (membershipId: string, by?: string) =>
  ask(
    `mutation ($id: ID!) { createInvitationToken(input: { membershipId: $id }) { token expiresAt } }`,
    { id: membershipId },
    by,
  );
const setPassword = (token: string, secret = password, at = house) =>
  ask(
    `mutation ($token: String!, $secret: String!) { setPassword(input: { token: $token, password: $secret }) { email } }`,
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
const move = (membershipId: string, to: string, by: string) =>
  ask(
    `mutation ($id: ID!, $to: MembershipStatus!) { moveMembership(input: { membershipId: $id, to: $to }) { status } }`,
    { id: membershipId, to },
    by,
  );
const signIn = (email: string | null, secret: string, at = house) =>
  at.call('POST', '/auth/login', { body: { email, password: secret } });

async function invited(centerId: number, options: ActorOptions = {}) {
  const actor = await makeActor(house.app, { role: 'PARENT', ...options });
  return { actor, ...(await makeMembership(house.app, actor.id, centerId, 'PARENT', 'INVITED')) };
}

test('an invitation leads from the token over the first password into the center', async () => {
  const { app, call } = house;
  const { center, token: admin } = await makeStage(app);
  const email = `newcomer-${center.id}@example.test`;
  const membership = await ask(
    `mutation ($email: String!) { inviteMember(input: { email: $email, role: INSTRUCTOR }) { id } }`,
    { email },
    admin,
  );
  const { token, expiresAt } = await createToken(membership.id, admin);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 60_000)).toBe(72 * 60);
  expect(await setPassword(token)).toEqual({ email });

  const first = (await signIn(email, password)).body.data;
  expect(first).toMatchObject({ center: null, landing: { kind: 'WAITING' } });
  expect(await move(membership.id, 'PENDING', admin)).toBe('INSUFFICIENT_ROLE');
  expect(await move(membership.id, 'PENDING', first.accessToken)).toEqual({ status: 'PENDING' });
  expect(await move(membership.id, 'ACTIVE', admin)).toEqual({ status: 'ACTIVE' });
  const { accessToken, center: entered } = (await signIn(email, password)).body.data;
  expect(entered.id).toBe(center.id);
  expect((await call('GET', `/centers/${center.id}`, { token: accessToken })).status).toBe(200);

  const audits = await app.db.forCenter(center.id).auditEntry.findMany({
    where: { target: membership.id },
    orderBy: { index: 'asc' },
  });
  expect(audits.map(({ detail }) => (detail as { move: string }).move)).toEqual([
    'invite',
    'create_invitation_token',
    'set_password',
    'accept',
    'approve',
  ]);
  expect(audits[2]!.actorEmail).toBe(email);
});

describe('a token', () => {
  test('is kept as a hash and works once, also for many at once', async () => {
    const { center, token: admin } = await makeStage(house.app);
    const { id, actor } = await invited(center.id);
    const { token } = await createToken(id, admin);
    const kept = await house.app.db.acrossTenants.passwordToken.findMany({ where: { membershipId: id } });
    expect(kept.map(({ tokenHash }) => tokenHash)).toEqual([sha256Hex(token)]);

    const secrets = Array.from({ length: 6 }, (_, i) => `${password} ${i}`);
    const answers = await Promise.all(secrets.map((secret) => setPassword(token, secret)));
    const winner = answers.findIndex((answer) => answer !== 'UNAUTHORIZED');
    expect(answers.filter((answer) => answer === 'UNAUTHORIZED')).toHaveLength(5);
    expect(await setPassword(token)).toBe('UNAUTHORIZED');
    expect((await signIn(actor.email, secrets[winner]!)).status).toBe(200);
    expect((await signIn(actor.email, secrets[(winner + 1) % 6]!)).status).toBe(401);
  });

  test('of two for one person only the first that is used sets the password', async () => {
    const { app } = house;
    const { center, token: admin } = await makeStage(app);
    const { id, actor } = await invited(center.id);
    const other = await makeStage(app);
    const second = await makeMembership(app, actor.id, other.center.id, 'PARENT', 'INVITED');
    const tokens = [await createToken(id, admin), await createToken(second.id, other.token)];
    const answers = await Promise.all(tokens.map(({ token }, i) => setPassword(token, `${password} ${i}`)));
    expect(answers.filter((answer) => answer === 'UNAUTHORIZED')).toHaveLength(1);
  });

  test('stops working when it expires, is replaced, or its membership comes to nothing', async () => {
    const { db } = house.app;
    const { center, token: admin } = await makeStage(house.app);
    const { id } = await invited(center.id);
    const replaced = await createToken(id, admin);
    const expired = await createToken(id, admin);
    expect(await setPassword(replaced.token)).toBe('UNAUTHORIZED');
    await db.acrossTenants.passwordToken.update({
      where: { tokenHash: sha256Hex(expired.token) },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await setPassword(expired.token)).toBe('UNAUTHORIZED');
    const last = await createToken(id, admin);
    await move(id, 'REJECTED', admin);
    expect(await setPassword(last.token)).toBe('UNAUTHORIZED');
    expect(await createToken(id, admin)).toBe('CONFLICT');
    expect(await setPassword('made up')).toBe('UNAUTHORIZED');
  });

  test('is swept away once it is of no use', async () => {
    const { center, token: admin } = await makeStage(house.app);
    const { id } = await invited(center.id);
    const { passwordToken } = house.app.db.acrossTenants;
    await createToken(id, admin);
    await sweep(house.app);
    expect(await passwordToken.count({ where: { membershipId: id } })).toBe(1);
    await passwordToken.updateMany({
      where: { membershipId: id },
      data: { expiresAt: new Date(Date.now() - 2 * 86_400_000) },
    });
    await sweep(house.app);
    expect(await passwordToken.count({ where: { membershipId: id } })).toBe(0);
  });

  test('wants a password of 10 to 1024 characters and survives one that is not', async () => {
    const { center, token: admin } = await makeStage(house.app);
    const { token } = await createToken((await invited(center.id)).id, admin);
    expect(await setPassword(token, 'x'.repeat(9))).toBe('VALIDATION_ERROR');
    expect(await setPassword(token, 'x'.repeat(1_025))).toBe('VALIDATION_ERROR');
    expect(await setPassword(token, 'x'.repeat(10))).toEqual({ email: expect.any(String) });
  });
});

describe('who may make a token', () => {
  test('is whoever administers the center', async () => {
    const { app } = house;
    const owner = await makePartner(app);
    const rival = await makePartner(app);
    const other = await makeStage(app);
    const centerId = owner.centers[0]!.id;
    const { id, actor } = await invited(centerId);
    const { token: instructor } = await makeMember(app, centerId, 'INSTRUCTOR');
    const { token: admin } = await makeMember(app, centerId, 'ADMIN');
    expect(await createToken(id)).toBe('UNAUTHORIZED');
    expect(await createToken(id, other.token)).toBe('NOT_FOUND');
    expect(await createToken('mbr_none', admin)).toBe('NOT_FOUND');
    expect(await createToken(id, rival.token)).toBe('NOT_FOUND');
    expect(await createToken(id, instructor)).toBe('INSUFFICIENT_ROLE');
    expect(await createToken(id, await makeToken(app, actor.id, null))).toBe('INSUFFICIENT_ROLE');
    for (const by of [admin, owner.token]) expect(await createToken(id, by)).toHaveProperty('token');
  });

  test('nobody gets one for a person who has an account, or whose relative has', async () => {
    const { center, token: admin } = await makeStage(house.app);
    const root = await makeActor(house.app, { platformAdmin: true });
    const member = await invited(center.id, { password });
    const relative = await invited(center.id, { email: member.actor.email });
    for (const by of [admin, await makeToken(house.app, root.id, null)]) {
      expect(await createToken(member.id, by)).toBe('CONFLICT');
      expect(await createToken(relative.id, by)).toBe('CONFLICT');
    }
  });

  test('only a platform admin gets one for a person who holds something elsewhere', async () => {
    const { app } = house;
    const { center, token: admin } = await makeStage(app);
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    const elsewhere = await makeMember(app, (await makeCenter(app)).id, 'ADMIN');
    const { actor: partner } = await makePartner(app);
    for (const actor of [elsewhere.actor, partner]) {
      const { id } = await makeMembership(app, actor.id, center.id, 'PARENT', 'INVITED');
      expect(await createToken(id, admin)).toBe('CONFLICT');
      expect(await setPassword((await createToken(id, root)).token)).toEqual({ email: actor.email });
    }
  });

  test('a token opens no other center that took the person in after it was made', async () => {
    const { app } = house;
    const { center, token: admin } = await makeStage(app);
    const { id, actor } = await invited(center.id);
    const { token } = await createToken(id, admin);
    await makeMembership(app, actor.id, (await makeCenter(app)).id, 'ADMIN', 'ACTIVE');
    expect(await setPassword(token)).toBe('UNAUTHORIZED');
  });
});

describe('changing the password', () => {
  test('needs the current one and ends all other sessions', async () => {
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

  test('of two changes at once one wins', async () => {
    const { actor, token } = await makeMember(house.app, (await makeCenter(house.app)).id, 'PARENT', {
      password,
    });
    const secrets = [`${another} 1`, `${another} 2`];
    const answers = await Promise.all(secrets.map((secret) => changePassword(password, secret, token)));
    expect(answers.map(String).toSorted()).toEqual(['INVALID_CREDENTIALS', 'true']);
    expect((await signIn(actor.email, secrets[answers.indexOf(true)]!)).status).toBe(200);
  });

  test('is not for people who have none', async () => {
    const { token } = await makeMember(house.app, (await makeCenter(house.app)).id, 'PARENT');
    expect(await changePassword(password, another, token)).toBe('INVALID_CREDENTIALS');
  });
});

test('attempts are counted: at tokens for the address, at passwords together with signing in', async () => {
  const limited = await testApp({ env: { RATE_AUTH: '2' } });
  for (let i = 0; i < 2; i++) expect(await setPassword('made up', password, limited)).toBe('UNAUTHORIZED');
  expect(await setPassword('made up', password, limited)).toBe('RATE_LIMITED');

  const { actor, token } = await makeMember(limited.app, (await makeCenter(limited.app)).id, 'PARENT', {
    password,
  });
  expect(await changePassword('not the password', another, token, limited)).toBe('INVALID_CREDENTIALS');
  expect((await signIn(actor.email, 'not the password', limited)).status).toBe(401);
  expect(await changePassword(password, another, token, limited)).toBe('RATE_LIMITED');
});
