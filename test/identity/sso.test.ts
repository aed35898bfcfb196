import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makePartner, makeStage, makeToken } from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const ask = (token: string, targetApp: unknown) =>
  house.call('POST', '/auth/sso/token', { token, body: { targetApp } });
const verify = (body: object) => house.call('POST', '/auth/sso/verify', { body });

test('a token identifies the person to the companion app once', async () => {
  const { token } = await makeStage(house.app);
  const before = Date.now();
  const given = await ask(token, 'lms');
  expect(given.status).toBe(200);
  expect(Object.keys(given.body.data)).toEqual(['token', 'expiresAt']);
  const seconds = (Date.parse(given.body.data.expiresAt) - before) / 1_000;
  expect(seconds).toBeGreaterThan(100);
  expect(seconds).toBeLessThanOrEqual(130);

  const { body: mine } = await house.call('GET', '/auth/me', { token });
  const first = await verify({ token: given.body.data.token });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ success: true, data: { ...mine.data, targetApp: 'lms' } });
  const second = await verify({ token: given.body.data.token });
  expect([second.status, second.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  const kept = await house.app.db.acrossTenants.ssoToken.findMany();
  expect(JSON.stringify(kept)).not.toContain(given.body.data.token);
});

test('of concurrent verifications exactly one succeeds', async () => {
  const { token } = await makeStage(house.app);
  const { data } = (await ask(token, 'cms')).body;
  const answers = await Promise.all(Array.from({ length: 12 }, () => verify({ token: data.token })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(401)]);
});

test('verification for another app fails and does not use up the token', async () => {
  const { token } = await makeStage(house.app);
  const { data } = (await ask(token, 'erp')).body;
  expect((await verify({ token: data.token, targetApp: 'lms' })).status).toBe(401);
  expect((await verify({ token: data.token, targetApp: 'erp' })).status).toBe(200);
});

test('expired and unknown tokens, and those of a revoked session, are rejected', async () => {
  const { token, admin } = await makeStage(house.app);
  const { data } = (await ask(token, 'lms')).body;
  await house.app.db.acrossTenants.ssoToken.update({
    where: { tokenHash: sha256Hex(data.token) },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect((await verify({ token: data.token })).status).toBe(401);
  expect((await verify({ token: 'never-given-out' })).status).toBe(401);

  const orphan = (await ask(token, 'lms')).body.data;
  await house.app.db.acrossTenants.session.updateMany({
    where: { actorId: admin.actor.id },
    data: { revokedAt: new Date() },
  });
  expect((await verify({ token: orphan.token })).status).toBe(401);
});

test('invalid input returns the documented error codes', async () => {
  const { token } = await makeStage(house.app);
  const answers = [
    await ask(token, undefined),
    await ask(token, 'crm'),
    await verify({}),
    await verify({ token: 1 }),
    await verify({ token: 'x', targetApp: 'crm' }),
  ];
  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
    [400, 'MISSING_REQUIRED_FIELD'],
    [400, 'VALIDATION_ERROR'],
    [400, 'MISSING_REQUIRED_FIELD'],
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
  ]);
  expect((await house.call('POST', '/auth/sso/token', { body: { targetApp: 'lms' } })).status).toBe(401);
});

test('every token is audited with its app, on the chain of the center or else of the platform', async () => {
  const { token, admin, center } = await makeStage(house.app);
  const partner = await makePartner(house.app);
  const stranger = await makeActor(house.app);
  const nowhere = await makeToken(house.app, stranger.id, null);
  const CREATE = `mutation { createSsoToken(input: { targetApp: cms }) { token } }`;
  expect((await ask(token, 'lms')).status).toBe(200);
  for (const by of [token, nowhere, partner.token]) {
    expect((await house.graphql(CREATE, {}, by)).data.createSsoToken.token).toHaveLength(43);
  }
  const entries = async (actorId: string) => {
    const rows = await house.app.db.acrossTenants.auditEntry.findMany({
      where: { actorId, type: 'auth.signed_in' },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ centerId, partnerId, detail, index }) => {
      expect(index).toBeGreaterThanOrEqual(0);
      return { centerId, partnerId, detail };
    });
  };
  const created = (targetApp: string) => ({ sso: 'created', targetApp });
  expect(await entries(admin.actor.id)).toEqual([
    { centerId: center.id, partnerId: null, detail: created('lms') },
    { centerId: center.id, partnerId: null, detail: created('cms') },
  ]);
  expect(await entries(stranger.id)).toEqual([{ centerId: null, partnerId: null, detail: created('cms') }]);
  expect(await entries(partner.actor.id)).toEqual([
    { centerId: null, partnerId: partner.partner.id, detail: created('cms') },
  ]);
});
