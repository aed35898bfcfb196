import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeActor, makeCenter, makeMembership, makePartner, makeStage } from '../helpers/world.ts';

const password = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

/** A member of a center, signed in over HTTP. */
async function signedIn() {
  const { app, call } = house;
  const actor = await makeActor(app, { password });
  const center = await makeCenter(app);
  const membership = await makeMembership(app, actor.id, center.id);
  const again = async () =>
    (await call('POST', '/auth/login', { body: { email: actor.email, password } })).body.data;
  return { ...(await again()), actor, center, membership, again };
}

const refresh = (refreshToken: unknown) =>
  house.call('POST', '/auth/refresh-token', { body: { refreshToken } });
const me = (token: string) => house.call('GET', '/auth/me', { token });
const switchTo = (token: string, centerId: unknown) =>
  house.call('POST', '/auth/switch-center', { token, body: { centerId } });
const revocations = (actorId: string) =>
  house.app.db.acrossTenants.auditEntry.findMany({ where: { actorId, type: 'auth.session_revoked' } });

test('a refresh token returns a new token pair for the same session and center', async () => {
  const { actor, center, accessToken, refreshToken } = await signedIn();
  const { status, body } = await refresh(refreshToken);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
    expiresIn: 3600,
    actor: { id: actor.id, email: actor.email, name: actor.name, role: 'ADMIN' },
    center: { id: center.id, name: center.name, domain: center.centerDomain },
  });
  expect(body.data.refreshToken).not.toBe(refreshToken);
  for (const token of [accessToken, body.data.accessToken]) expect((await me(token)).status).toBe(200);
  expect((await refresh(body.data.refreshToken)).status).toBe(200);
});

test('reusing a refresh token ends the session, including its newest tokens', async () => {
  const { actor, accessToken, refreshToken, again } = await signedIn();
  const newest = (await refresh(refreshToken)).body.data;
  const elsewhere = await again();

  const replayed = await refresh(refreshToken);
  expect([replayed.status, replayed.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  for (const token of [accessToken, newest.accessToken]) expect((await me(token)).status).toBe(401);
  expect((await refresh(newest.refreshToken)).status).toBe(401);
  expect((await me(elsewhere.accessToken)).status).toBe(200);
  expect((await revocations(actor.id)).map(({ detail }) => detail)).toEqual([
    { reason: 'refresh token reuse' },
  ]);
});

test('concurrent refreshes with one token: at most one succeeds, and the session ends', async () => {
  const { actor, refreshToken } = await signedIn();
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners.length).toBeLessThanOrEqual(1);
  expect(answers.filter(({ status }) => status === 401).length).toBe(8 - winners.length);
  for (const { body } of winners) {
    expect((await me(body.data.accessToken)).status).toBe(401);
    expect((await refresh(body.data.refreshToken)).status).toBe(401);
  }
  expect(await revocations(actor.id)).toHaveLength(1);
});

test.each([
  [undefined, 400, 'MISSING_REQUIRED_FIELD'],
  [17, 400, 'VALIDATION_ERROR'],
  ['never-given-out', 401, 'UNAUTHORIZED'],
])('refresh token %j: %i %s', async (token, status, code) => {
  const answer = await refresh(token);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test('an expired refresh token is rejected', async () => {
  const { refreshToken } = await signedIn();
  await house.app.db.acrossTenants.refreshToken.update({
    where: { tokenHash: sha256Hex(refreshToken) },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect((await refresh(refreshToken)).status).toBe(401);
});

test('refreshing never changes the center to another one', async () => {
  const { actor, refreshToken, membership } = await signedIn();
  const other = await makeCenter(house.app);
  await makeMembership(house.app, actor.id, other.id);
  await house.app.db.acrossTenants.membership.update({
    where: { id: membership.id },
    data: { status: 'SUSPENDED' },
  });
  const { data } = (await refresh(refreshToken)).body;
  expect(data.center).toBeNull();
  const keys = await house.graphql('{ apiKeys { edges { node { id } } } }', {}, data.accessToken);
  expect(keys.errors![0]!.extensions.code).toBe('MEMBERSHIP_SUSPENDED');
});

test('switching the center returns a token pair for it, in the same session', async () => {
  const { actor, accessToken, refreshToken } = await signedIn();
  const other = await makeCenter(house.app);
  await makeMembership(house.app, actor.id, other.id, 'INSTRUCTOR');
  const { status, body, headers } = await switchTo(accessToken, other.id);
  expect(status).toBe(200);
  expect(body.data.center).toEqual({ id: other.id, name: other.name, domain: other.centerDomain });
  expect(body.data.actor.role).toBe('INSTRUCTOR');
  expect(headers.getSetCookie().join()).toContain(`last_center=${other.centerDomain}`);
  expect((await me(body.data.accessToken)).body.data).toMatchObject({ centerId: other.id });
  const sessions = await house.app.db.acrossTenants.session.count({ where: { actorId: actor.id } });
  expect(sessions).toBe(1);
  // Whichever refresh token is exchanged first, the other one counts as used from then on.
  const traded = await refresh(refreshToken);
  expect(traded.body.data.center.id).toBe(other.id);
  expect((await refresh(body.data.refreshToken)).status).toBe(401);
  expect((await me(traded.body.data.accessToken)).status).toBe(401);
});

test('switching requires access to the center', async () => {
  const { actor, accessToken } = await signedIn();
  const stranger = await makeStage(house.app);
  const suspended = await makeCenter(house.app);
  await makeMembership(house.app, actor.id, suspended.id, 'ADMIN', 'SUSPENDED');
  const closed = await makeCenter(house.app, { status: 'SUSPENDED' });
  await makeMembership(house.app, actor.id, closed.id);
  const answer = async (centerId: unknown) => {
    const { status, body } = await switchTo(accessToken, centerId);
    return [status, body.error.code];
  };
  expect(await answer(stranger.center.id)).toEqual([403, 'NO_MEMBERSHIP']);
  expect(await answer(2_000_000_000)).toEqual([403, 'NO_MEMBERSHIP']);
  expect(await answer(99_999_999_999)).toEqual([403, 'NO_MEMBERSHIP']);
  expect(await answer(-5)).toEqual([403, 'NO_MEMBERSHIP']);
  expect(await answer(suspended.id)).toEqual([403, 'MEMBERSHIP_SUSPENDED']);
  expect(await answer(closed.id)).toEqual([403, 'CENTER_SUSPENDED']);
  expect(await answer(undefined)).toEqual([400, 'MISSING_REQUIRED_FIELD']);
  expect(await answer('1')).toEqual([400, 'VALIDATION_ERROR']);
  expect(await answer(1.5)).toEqual([400, 'VALIDATION_ERROR']);
});

test('relatives can switch into each other’s centers', async () => {
  const { actor, accessToken } = await signedIn();
  const other = await makeCenter(house.app);
  const relative = await makeActor(house.app, { email: actor.email });
  await makeMembership(house.app, relative.id, other.id, 'CHILD');
  const { body } = await switchTo(accessToken, other.id);
  expect(body.data).toMatchObject({
    center: { id: other.id },
    actor: { id: actor.id, role: 'CHILD' },
  });
});

test('logout ends the session immediately and removes the cookie', async () => {
  const { actor, accessToken, refreshToken } = await signedIn();
  expect((await me(accessToken)).status).toBe(200);
  const response = await house.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query: 'mutation { logout }' }),
  });
  expect(await response.json()).toEqual({ data: { logout: true } });
  expect(response.headers.getSetCookie().join()).toMatch(/auth_token=;.*expires=Thu, 01 Jan 1970/i);
  expect((await me(accessToken)).status).toBe(401);
  expect((await refresh(refreshToken)).status).toBe(401);
  expect((await revocations(actor.id)).map(({ detail }) => detail)).toEqual([{ reason: 'logout' }]);
});

test('people list and revoke their own active sessions only', async () => {
  const { accessToken, again } = await signedIn();
  const other = await again();
  const stranger = await signedIn();
  const LIST = '{ sessions { id current } }';
  const REVOKE = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { id revokedAt } }';
  const { sessions } = (await house.graphql(LIST, {}, accessToken)).data;
  expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  const id = sessions[0].id;

  const foreign = await house.graphql(REVOKE, { id }, stranger.accessToken);
  expect(foreign.errors![0]!.extensions.code).toBe('NOT_FOUND');
  expect((await me(other.accessToken)).status).toBe(200);

  const revoked = await house.graphql(REVOKE, { id }, accessToken);
  expect(revoked.data.revokeSession.revokedAt).not.toBeNull();
  expect((await me(other.accessToken)).status).toBe(401);
  expect((await me(accessToken)).status).toBe(200);
  expect((await house.graphql(LIST, {}, accessToken)).data.sessions).toHaveLength(1);
});

test('a browser refreshes its session with the cookie alone, which is rotated each time', async () => {
  const { actor, center } = await signedIn();
  const post = (query: string, cookie: string) =>
    house.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ query }),
    });
  const refreshCookie = (response: Response) =>
    response.headers.getSetCookie().find((cookie) => cookie.startsWith('refresh_token='))!;
  const signIn = `mutation { signIn(input: {email: "${actor.email}", password: "${password}"}) { expiresIn } }`;
  const given = refreshCookie(await post(signIn, ''));
  expect(given).toMatch(/path=\/graphql; .*samesite=lax; httponly/i);
  const renew = 'mutation { refreshSession { center { id } } }';
  const first = await post(renew, given.split(';')[0]!);
  expect(await first.json()).toEqual({ data: { refreshSession: { center: { id: center.id } } } });
  expect(refreshCookie(first)).not.toBe(given);
  const replayed = await (await post(renew, given.split(';')[0]!)).json();
  expect(replayed).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
  const without = await (await post(renew, '')).json();
  expect(without).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
});

test('me returns the landing page, the partner account and whether the person is a platform admin', async () => {
  const { accessToken, center } = await signedIn();
  const query = '{ me { platformAdmin partner { name role } landing { kind centerDomain } } }';
  expect((await house.graphql(query, {}, accessToken)).data.me).toEqual({
    platformAdmin: false,
    partner: null,
    landing: { kind: 'ADMIN_DASHBOARD', centerDomain: center.centerDomain },
  });
  const { partner, token } = await makePartner(house.app, 'PARTNER_OPERATOR');
  expect((await house.graphql(query, {}, token)).data.me).toEqual({
    platformAdmin: false,
    partner: { name: partner.name, role: 'PARTNER_OPERATOR' },
    landing: { kind: 'PARTNER_DASHBOARD', centerDomain: null },
  });
});

test('sessions show device, address and last use; revoking the others takes effect in all processes', async () => {
  const neighbor = await testApp({ database: house.database });
  const { actor, accessToken: here } = await signedIn();
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
  const login = { body: { email: actor.email, password }, headers: { 'user-agent': firefox } };
  const there = (await house.call('POST', '/auth/login', login)).body.data;
  const list = async (token: string) =>
    (await house.graphql(`{ sessions { id current device ip lastUsedAt } }`, {}, token)).data.sessions;
  const [newest, oldest] = await list(here);
  expect(newest).toMatchObject({ current: false, device: 'Firefox on Windows', ip: '127.0.0.1' });
  expect(oldest).toMatchObject({ current: true });

  // Any use extends the session.
  const { acrossTenants: db } = house.app.db;
  const before = new Date(Date.now() - 3_600_000);
  await db.session.update({ where: { id: newest.id }, data: { lastUsedAt: before } });
  expect((await neighbor.call('GET', '/auth/me', { token: there.accessToken })).status).toBe(200);
  const lastUse = async () => (await db.session.findUniqueOrThrow({ where: { id: newest.id } })).lastUsedAt;
  await eventually(async () => Date.now() - (await lastUse()).getTime() < 60_000);

  const revoked = await house.graphql('mutation { revokeOtherSessions }', {}, here);
  expect(revoked.data).toEqual({ revokeOtherSessions: 1 });
  const statusAt = async (at: TestApp, token: string) => (await at.call('GET', '/auth/me', { token })).status;
  expect(await statusAt(house, there.accessToken)).toBe(401);
  await expect.poll(() => statusAt(neighbor, there.accessToken)).toBe(401);
  for (const at of [house, neighbor]) expect(await statusAt(at, here)).toBe(200);
  expect((await refresh(there.refreshToken)).status).toBe(401);
  expect(await list(here)).toHaveLength(1);
  expect((await house.graphql('mutation { revokeOtherSessions }', {}, here)).data.revokeOtherSessions).toBe(
    0,
  );
  // People cannot end sessions of others.
  const stranger = await signedIn();
  const { errors } = await house.graphql(
    `mutation ($id: ID!) { revokeSession(input: { id: $id }) { id } }`,
    { id: oldest.id },
    stranger.accessToken,
  );
  expect(errors![0]!.extensions.code).toBe('NOT_FOUND');
});
