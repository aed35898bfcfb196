import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MembershipStatus } from '../../src/db/generated/prisma/enums.ts';
import { delayAfter } from '../../src/domain/identity/attempts.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMembership, makePartner } from '../helpers/world.ts';

const PASSWORD = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const login = (body: object, headers?: Record<string, string>) =>
  house.call('POST', '/auth/login', { body, ...(headers && { headers }) });

/** A person with a password and one membership of each given status, each in a separate center. */
async function person(...statuses: MembershipStatus[]) {
  const actor = await makeActor(house.app, { password: PASSWORD, role: 'PARENT' });
  const centers = [];
  for (const status of statuses) {
    const center = await makeCenter(house.app);
    await makeMembership(house.app, actor.id, center.id, 'INSTRUCTOR', status);
    centers.push(center);
  }
  return { actor, email: actor.email!, centers };
}

describe('POST /auth/login', () => {
  test('returns tokens, person, center and landing, sets cookies and is audited', async () => {
    const { actor, email, centers } = await person('ACTIVE');
    const [center] = centers;
    const { status, body, headers } = await login({ email: ` ${email.toUpperCase()} `, password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        expiresIn: 3600,
        actor: { id: actor.id, email, name: actor.name, role: 'INSTRUCTOR' },
        center: { id: center!.id, name: center!.name, domain: center!.centerDomain },
        landing: { kind: 'TENANT', centerDomain: center!.centerDomain },
      },
    });
    expect(jwt.decode(body.data.accessToken)).toMatchObject({
      actorId: actor.id,
      email,
      centerId: center!.id,
      centerDomain: center!.centerDomain,
      role: 'INSTRUCTOR',
      authorizedDomains: [center!.centerDomain],
    });
    const cookies = headers.getSetCookie();
    expect(cookies.find((each) => each.startsWith('auth_token='))).toMatch(/httponly/i);
    expect(cookies.find((each) => each.startsWith('auth_token='))).toMatch(/samesite=lax/i);
    expect(cookies.some((each) => each.startsWith(`last_center=${center!.centerDomain};`))).toBe(true);

    const audits = await house.app.db.forCenter(center!.id).auditEntry.findMany();
    expect(audits.map(({ type, actorId, actorEmail }) => [type, actorId, actorEmail])).toEqual([
      ['auth.signed_in', actor.id, email],
    ]);
    const kept = await house.app.db.acrossTenants.refreshToken.findMany();
    expect(JSON.stringify(kept)).not.toContain(body.data.refreshToken);

    const cookie = `auth_token=${body.data.accessToken}`;
    expect((await house.call('GET', '/auth/me', { headers: { cookie } })).body.data.actorId).toBe(actor.id);
  });

  test('accepts a phone number instead of the email', async () => {
    const actor = await makeActor(house.app, { email: null, phone: '+49301234567', password: PASSWORD });
    const { status, body } = await login({ phone: '0049 (0)30 123-4567', password: PASSWORD });
    expect(status).toBe(200);
    expect(body.data.actor).toMatchObject({ id: actor.id, email: '' });
    expect(body.data.center).toBeNull();
  });

  test('returns the same error for a wrong password, an unknown account and one without a password', async () => {
    const { email } = await person();
    const { email: without } = await makeActor(house.app);
    const answers = await Promise.all([
      login({ email, password: 'wrong' }),
      login({ email: 'stranger@example.test', password: PASSWORD }),
      login({ email: without, password: PASSWORD }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(answers[0]!.body);
      expect(body.error.code).toBe('INVALID_CREDENTIALS');
    }
  });

  test('tries the five oldest accounts with the address, oldest first', async () => {
    const email = 'shared@example.test';
    const people = [];
    for (let year = 2001; year <= 2006; year++) {
      const createdAt = new Date(`${year}-01-01T00:00:00Z`);
      people.push(await makeActor(house.app, { email, password: `password ${year}`, createdAt }));
    }
    const twin = { email, password: 'password 2004', createdAt: new Date('2003-06-01') };
    const older = await makeActor(house.app, twin);
    expect((await login({ email, password: 'password 2002' })).body.data.actor.id).toBe(people[1]!.id);
    expect((await login({ email, password: 'password 2004' })).body.data.actor.id).toBe(older.id);
    expect((await login({ email, password: 'password 2006' })).body.error.code).toBe('INVALID_CREDENTIALS');
  });

  test.each([
    [{}, 'MISSING_REQUIRED_FIELD'],
    [{ email: 'a@b.test' }, 'MISSING_REQUIRED_FIELD'],
    [{ password: 'x' }, 'MISSING_REQUIRED_FIELD'],
    [{ email: 'nonsense', password: 'x' }, 'INVALID_EMAIL'],
    [{ email: 7, password: 'x' }, 'VALIDATION_ERROR'],
    [{ email: 'a@b.test', password: ['x'] }, 'VALIDATION_ERROR'],
    ['{"email": ', 'VALIDATION_ERROR'],
    ['[]', 'VALIDATION_ERROR'],
  ])('rejects %j', async (body, code) => {
    const answer = await house.call('POST', '/auth/login', { body });
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });
});

describe('direct login with centerDomain', () => {
  test.each([
    ['INVITED', 403, 'NO_MEMBERSHIP'],
    ['PENDING', 403, 'NO_MEMBERSHIP'],
    ['REJECTED', 403, 'NO_MEMBERSHIP'],
    ['SUSPENDED', 403, 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 403, 'MEMBERSHIP_ENDED'],
  ] as const)('with a %s membership: %i %s', async (status, expected, code) => {
    const { email, centers } = await person(status);
    const answer = await login({ email, password: PASSWORD, centerDomain: centers[0]!.centerDomain });
    expect([answer.status, answer.body.error.code]).toEqual([expected, code]);
  });

  test('reports a suspended center to members only', async () => {
    const closed = await makeCenter(house.app, { status: 'SUSPENDED' });
    const ended = await makeCenter(house.app, { status: 'INACTIVE' });
    const { actor, email } = await person('ACTIVE');
    const { email: stranger } = await person('ACTIVE');
    await makeMembership(house.app, actor.id, closed.id);
    const code = async (who: string, centerDomain: string) =>
      (await login({ email: who, password: PASSWORD, centerDomain })).body.error.code;
    expect(await code(email, closed.centerDomain)).toBe('CENTER_SUSPENDED');
    expect(await code(stranger, closed.centerDomain)).toBe('NO_MEMBERSHIP');
    expect(await code(email, ended.centerDomain)).toBe('CENTER_NOT_FOUND');
    expect(await code(email, 'no-such-center')).toBe('CENTER_NOT_FOUND');
  });

  test('enters the given center, whatever the last_center cookie says', async () => {
    const { email, centers } = await person('ACTIVE', 'ACTIVE');
    const [first, second] = centers.map((center) => center.centerDomain);
    const body = { email, password: PASSWORD, centerDomain: second!.toUpperCase() };
    const { data } = (await login(body, { cookie: `last_center=${first}` })).body;
    expect(data.center.domain).toBe(second);
    expect(data.landing).toEqual({ kind: 'TENANT', centerDomain: second });
  });

  test('allows relatives of a member', async () => {
    const { actor, centers } = await person('ACTIVE');
    const relative = await makeActor(house.app, { email: 'cousin@example.test', password: PASSWORD });
    for (const { id } of [actor, relative]) {
      await house.app.db.acrossTenants.actor.update({ where: { id }, data: { phone: '+4915550100' } });
    }
    const { centerDomain } = centers[0]!;
    const { data } = (await login({ email: relative.email, password: PASSWORD, centerDomain })).body;
    expect(data).toMatchObject({ center: { domain: centerDomain }, actor: { id: relative.id } });
  });
});

describe('landing', () => {
  const landed = async (email: string, cookie = '') => {
    const { data } = (await login({ email, password: PASSWORD }, { cookie })).body;
    return [data.landing.kind, data.landing.centerDomain, data.center?.domain ?? null];
  };

  test('follows the last visited center; otherwise it is the picker, with the oldest center', async () => {
    const { email, centers } = await person('ACTIVE', 'ACTIVE', 'PENDING');
    const [first, second, pending] = centers.map((center) => center.centerDomain);
    expect(await landed(email)).toEqual(['TENANT_PICKER', null, first]);
    expect(await landed(email, `last_center=${second}`)).toEqual(['TENANT', second, second]);
    expect(await landed(email, `last_center=${pending}`)).toEqual(['TENANT_PICKER', null, first]);
  });

  test('follows the email domain of a center', async () => {
    const { actor, email } = await person('ACTIVE');
    const settings = { emailDomains: ['Example.test'] };
    const own = await makeCenter(house.app, { settings });
    await makeMembership(house.app, actor.id, own.id, 'INSTRUCTOR');
    expect(await landed(email)).toEqual(['TENANT', own.centerDomain, own.centerDomain]);
  });

  test('sends an ADMIN of an active center to the dashboard of the center in the tokens', async () => {
    const { actor, email, centers } = await person('ACTIVE');
    const oldest = centers[0]!.centerDomain;
    const closed = await makeCenter(house.app, { status: 'SUSPENDED' });
    await makeMembership(house.app, actor.id, closed.id, 'ADMIN');
    expect(await landed(email)).toEqual(['TENANT', oldest, oldest]);
    const own = await makeCenter(house.app);
    await makeMembership(house.app, actor.id, own.id, 'ADMIN');
    expect(await landed(email)).toEqual(['ADMIN_DASHBOARD', oldest, oldest]);
    const visited = `last_center=${own.centerDomain}`;
    expect(await landed(email, visited)).toEqual(['ADMIN_DASHBOARD', own.centerDomain, own.centerDomain]);
  });

  test.each([
    ['PENDING', 'WAITING'],
    ['INVITED', 'WAITING'],
    ['SUSPENDED', 'ONBOARDING'],
    ['ENDED', 'ONBOARDING'],
    ['REJECTED', 'ONBOARDING'],
  ] as const)('with only a %s membership: %s', async (status, kind) => {
    const { email } = await person(status);
    expect(await landed(email)).toEqual([kind, null, null]);
  });

  test('sends platform admins and partner accounts to their dashboards', async () => {
    const admin = await makeActor(house.app, { password: PASSWORD, platformAdmin: true });
    expect(await landed(admin.email!)).toEqual(['ADMIN_DASHBOARD', null, null]);
    const { actor } = await makePartner(house.app);
    const { passwordHash } = admin;
    await house.app.db.acrossTenants.actor.update({ where: { id: actor.id }, data: { passwordHash } });
    expect(await landed(actor.email!)).toEqual(['PARTNER_DASHBOARD', null, null]);
  });
});

test('mutation signIn returns the same', async () => {
  const { actor, email } = await person('ACTIVE');
  const SIGN_IN = /* GraphQL */ `
    mutation ($input: SignInInput!) {
      signIn(input: $input) { accessToken actor { id } center { id } landing { kind } }
    }`;
  const { data } = await house.graphql(SIGN_IN, { input: { email, password: PASSWORD } });
  expect(data.signIn).toMatchObject({ actor: { id: actor.id }, landing: { kind: 'TENANT' } });
  const wrong = await house.graphql(SIGN_IN, { input: { email, password: 'wrong' } });
  expect(wrong.errors![0]!.extensions.code).toBe('INVALID_CREDENTIALS');
  const none = await house.graphql(SIGN_IN, { input: { password: 'wrong' } });
  expect(none.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
});

test('the sixth attempt for an address and email is rejected, even with the right password', async () => {
  const { app, call } = await testApp({ env: { RATE_AUTH: '5' } });
  const { email } = await makeActor(app, { password: PASSWORD });
  const attempt = (password: string, name = email) =>
    call('POST', '/auth/login', { body: { email: name, password } });
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await attempt(i === 4 ? PASSWORD : 'wrong'));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 200]);
  expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
    '4',
    '3',
    '2',
    '1',
    '0',
  ]);
  const refused = await attempt(PASSWORD);
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('5');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await attempt(PASSWORD, email!.toUpperCase())).status).toBe(429);
  expect((await attempt('wrong', 'another@example.test')).status).toBe(401);
});

test('guessing the password of one account from many addresses is delayed; the owner can still sign in', async () => {
  const { app, call } = await testApp({ env: { RATE_AUTH: '5', TRUST_PROXY: '1' } });
  const { email } = await makeActor(app, { password: PASSWORD });
  const attempt = (address: string, password: string) =>
    call('POST', '/auth/login', {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    });
  expect((await attempt('192.0.2.1', PASSWORD)).status).toBe(200);
  for (let i = 0; i < 10; i++) expect((await attempt(`203.0.113.${i}`, 'wrong')).status).toBe(401);
  // From now on attempts wait, and most concurrent ones are told to retry later.
  const flood = await Promise.all(
    Array.from({ length: 12 }, (_, i) => attempt(`198.51.100.${i}`, i === 0 ? 'wrong' : 'wronger')),
  );
  const refused = flood.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, body } of refused) {
    expect(body.error.code).toBe('RATE_LIMITED');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await attempt('192.0.2.1', PASSWORD)).status).toBe(200);
  expect((await attempt('192.0.2.99', PASSWORD)).status).toBe(200);
  const { rows } = await app.db.pool.query<{ key: string }>('SELECT key FROM login_counter');
  for (const { key } of rows) expect(key).toMatch(/^[0-9a-f]{64}$/);
});

test('strangers from many networks take no place of the owner at a new address', async () => {
  const { app, call } = await testApp({ env: { RATE_AUTH: '5', TRUST_PROXY: '1' } });
  const { email } = await makeActor(app, { password: PASSWORD });
  const attempt = async (address: string, password: string) => {
    const body = { email, password };
    return (await call('POST', '/auth/login', { body, headers: { 'x-forwarded-for': address } })).status;
  };
  // Every further attempt waits for four seconds.
  for (let i = 0; i < 14; i++) await app.limiter.countFailure(email!);
  // More than may wait, from each of these networks.
  const networks = ['203.0.113.', '198.51.100.', '2001:db8:7:'];
  const flood = networks.flatMap((network) =>
    Array.from({ length: 6 }, (_, i) =>
      attempt(network.endsWith(':') ? `${network}${i}::1` : `${network}${100 + i}`, 'wrong'),
    ),
  );
  await Promise.any(flood.map(async (answer) => expect(await answer).toBe(429)));
  const owners = await Promise.all(['192.0.2.7', '2001:db8:8::1'].map((own) => attempt(own, PASSWORD)));
  expect(owners).toEqual([200, 200]);
  const answers = await Promise.all(flood);
  // At least four of each network waited.
  expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(12);
});

test('the delay grows with the number of failures up to a limit', () => {
  expect([0, 9, 10, 11, 12, 100].map(delayAfter)).toEqual([0, 0, 250, 500, 1_000, 10_000]);
});
