import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { makeLog } from '../../src/lib/log.ts';
import { startProcess } from '../../src/process.ts';
import { accounts, DEMO_PASSWORD } from '../../src/seed/accounts.ts';
import { banner } from '../../src/seed/banner.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { holdPort } from '../../src/start/port.ts';
import { startTestApp, testApp } from '../helpers/app.ts';
import { makeClient } from '../helpers/client.ts';
import { testDatabase } from '../helpers/database.ts';
import { inOneDay } from '../helpers/same-day.ts';

const DOMAINS = ['demo-rehab', 'demo-school', 'demo-closed'];

async function seeded() {
  await inOneDay();
  const running = await testApp();
  const demo = await seedDemo(running.app);
  const login = async (email: string, extra: object = {}) => {
    const answer = await running.call('POST', '/auth/login', {
      body: { email, password: DEMO_PASSWORD, ...extra },
    });
    return answer;
  };
  const token = async (email: string, centerDomain?: string) =>
    (await login(email, centerDomain ? { centerDomain } : {})).body.data.accessToken as string;
  return { ...running, demo, login, token };
}

test('every demo account can sign in, from the first request after startup', async () => {
  const { url: DATABASE_URL, dataDir: DATA_DIR, ownerUrl: DATABASE_OWNER_URL } = await testDatabase();
  const settings = readSettings({
    DATABASE_URL,
    DATABASE_OWNER_URL,
    DATA_DIR,
    NODE_ENV: 'test',
    ROLE: 'api',
    SEED_DEMO: '1',
    RATE_PUBLIC: '0',
  });
  const port = await holdPort('127.0.0.1', 0);
  const { call } = makeClient(`http://127.0.0.1:${port.port}`);
  const signIn = async (email: string) => {
    const { status } = await call('POST', '/auth/login', { body: { email, password: DEMO_PASSWORD } });
    return [email, status];
  };
  // Sent during the start, as by a client that waits only for the port.
  const early = signIn('admin@demo.test');
  const running = await startProcess(settings, port, makeLog('silent'));
  onTestFinished(() => running.stop());
  expect(await early).toEqual(['admin@demo.test', 200]);
  for (const { email } of accounts) expect(await signIn(email)).toEqual([email, 200]);
});

test('every membership and center status is in the demo data', async () => {
  const { login, call, token, demo } = await seeded();
  for (const domain of ['demo-rehab', 'demo-school']) {
    const answer = await login('admin@demo.test', { centerDomain: domain });
    expect(answer.body.data.center.domain).toBe(domain);
    const inside = { token: answer.body.data.accessToken };
    expect((await call('GET', '/workflows', inside)).body.data.length).toBeGreaterThan(0);
    expect((await call('GET', '/center/subscription', inside)).body.data.seatUsed).toBeGreaterThan(0);
    const chain = await call('GET', '/dpu/verify-chain', inside);
    expect(chain.body.data).toMatchObject({ valid: true });
    expect(chain.body.data.chains.every((each: { chainLength: number }) => each.chainLength > 0)).toBe(true);
  }
  const code = async (email: string, centerDomain: string) =>
    (await login(email, { centerDomain })).body.error?.code;
  expect(await code('admin@demo.test', 'demo-closed')).toBe('CENTER_SUSPENDED');
  expect(await code('pending@demo.test', 'demo-rehab')).toBe('NO_MEMBERSHIP');
  expect(await code('suspended@demo.test', 'demo-rehab')).toBe('MEMBERSHIP_SUSPENDED');
  expect(await code('ended@demo.test', 'demo-rehab')).toBe('MEMBERSHIP_ENDED');
  expect(await code('new@demo.test', 'demo-rehab')).toBe('NO_MEMBERSHIP');

  const partner = { token: await token('partner@demo.test') };
  const centers = await call('GET', '/partner/centers', partner);
  expect(centers.body.data.map((center: { centerDomain: string }) => center.centerDomain)).toEqual(DOMAINS);
  const { revenue, totalCenters } = (await call('GET', '/partner/stats/dashboard', partner)).body.data;
  expect([totalCenters, revenue.monthToDate, revenue.recurringMonthly]).toEqual([3, 14900, 14900]);
  const operator = { token: await token('operator@demo.test'), body: { theme: 'dark' } };
  expect((await call('PATCH', '/partner/settings', operator)).body.error.code).toBe('INSUFFICIENT_ROLE');

  const instructors = await call('GET', '/centers/demo-rehab/instructors', {
    token: await token('parent@demo.test'),
  });
  expect(instructors.body.data).toHaveLength(1);

  const events = await call('GET', '/v1/decision-events', { token: demo.apiKey! });
  expect(events.body.data.map((event: { status: string }) => event.status).sort()).toEqual([
    'recorded',
    'rejected',
    'sealed',
  ]);
  expect(events.body.data.map((event: { id: string }) => event.id)).toContain(demo.sealedEventId);
});

test('the parent sees the child and its bookings, and the instructor has free slots', async () => {
  const { graphql, call, token } = await seeded();
  const parent = await token('parent@demo.test');
  const { data } = await graphql('{ children { name memberships { centerDomain } } }', {}, parent);
  expect(data.children).toEqual([{ name: 'Charlie Weber', memberships: [{ centerDomain: 'demo-rehab' }] }]);
  const weekAhead = [1, 2, 3, 4, 5, 6, 7].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const slots = await Promise.all(
    weekAhead.map((date) =>
      call('GET', `/centers/demo-rehab/available-slots?date=${date}`, { token: parent }),
    ),
  );
  const { body } = await call('GET', '/bookings', { token: parent });
  expect(body.data).toHaveLength(3);
  expect(slots.reduce((sum, { body }) => sum + body.data.length, 0)).toBe(5 * 7 - 3);
  const hours = body.data.map(({ startsAt }: { startsAt: string }) =>
    Number(new Date(startsAt).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' })),
  );
  expect(hours).toEqual([15, 15, 15]);
});

test('demo decisions match the bookings and the policies', async () => {
  const { graphql, token, demo } = await seeded();
  const admin = await token('admin@demo.test', 'demo-rehab');
  const { data, errors } = await graphql(
    `query ($sealed: ID!) {
      sealed: decisionEvent(id: $sealed) { status action { type } approvals { result } }
      waiting: decisionEvents(filter: { status: recorded }) { edges { node { action { input } outlook { verdict } } } }
      bookings(first: 3) { edges { node { note startsAt } } }
      policies(first: 10) { edges { node { name actionPattern } } }
    }`,
    { sealed: demo.sealedEventId },
    admin,
  );
  expect(errors).toBeUndefined();
  const nodes = <Node>({ edges }: { edges: { node: Node }[] }) => edges.map(({ node }) => node);
  expect(nodes(data.policies)).toContainEqual({ name: 'Therapy plans', actionPattern: 'therapy.*' });
  expect(data.sealed).toEqual({
    status: 'sealed',
    action: { type: 'therapy.plan.adjust' },
    approvals: [{ result: 'approved' }],
  });
  const [waiting] = nodes<{ action: { input: object }; outlook: object }>(data.waiting);
  expect(waiting!.outlook).not.toEqual({ verdict: 'fail' });
  const { session: note, from } = waiting!.action.input as { session: string; from: string };
  expect(nodes(data.bookings)).toContainEqual({ note, startsAt: from });
});

test('seeding again, even concurrently in several processes, changes nothing', async () => {
  const first = await testApp();
  const second = await startTestApp({ database: first.database });
  const [one, two] = await Promise.all([seedDemo(first.app), seedDemo(second.app)]);
  expect([one.apiKey, two.apiKey].filter(Boolean)).toHaveLength(1);
  expect(one.sealedEventId).toBe(two.sealedEventId);
  const everything = first.app.db.declared('acrossTenants');
  const counts = async () => {
    const { rows } = await everything.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'process_heartbeat'`,
    );
    const count = async ({ name }: { name: string }) =>
      [
        name,
        (await everything.query(`SELECT count(*)::int AS rows FROM "${name}"`)).rows[0]!['rows'],
      ] as const;
    return Object.fromEntries(await Promise.all(rows.map(count)));
  };
  const before = await counts();
  expect(await seedDemo(second.app)).toEqual({ apiKey: null, sealedEventId: one.sealedEventId });
  expect(await counts()).toEqual(before);
  await second.close();
});

test('seeding again does not restore changed or ended objects', async () => {
  const { app } = await seeded();
  const db = app.db.acrossTenants;
  const rehab = await db.center.update({ where: { centerDomain: 'demo-rehab' }, data: { name: 'Renamed' } });
  await db.membership.updateMany({ where: { centerId: rehab.id }, data: { status: 'ENDED' } });
  await db.apiKey.updateMany({ data: { revokedAt: new Date() } });
  await db.guardianship.deleteMany();
  expect((await seedDemo(app)).apiKey).toBeNull();
  expect((await db.center.findUniqueOrThrow({ where: { id: rehab.id } })).name).toBe('Renamed');
  expect(await db.membership.count({ where: { centerId: rehab.id, status: { not: 'ENDED' } } })).toBe(0);
});

test('the banner shows addresses, accounts and, the first time, the API key', async () => {
  const { demo } = await seeded();
  const first = banner('http://localhost:4000', demo);
  for (const part of [
    '4000/docs',
    '/api/docs',
    '/graphql',
    `/verify/${demo.sealedEventId}`,
    DEMO_PASSWORD,
    demo.apiKey!,
  ]) {
    expect(first).toContain(part);
  }
  for (const { email } of accounts) expect(first).toContain(email);
  expect(banner('http://localhost:4000', { ...demo, apiKey: null })).not.toContain('csk_');
});
