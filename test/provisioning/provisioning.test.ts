import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Vertical } from '../../src/db/generated/prisma/enums.ts';
import { testApp } from '../helpers/app.ts';
import { makeActor, makeMember, makePartner, makeStage, makeToken } from '../helpers/world.ts';

let counter = 0;
const order = (adminActorId: string, changes: Record<string, unknown> = {}) => ({
  centerName: 'Harbour Clinic',
  subdomain: `harbour-${++counter}`,
  planId: 'center-growth',
  orderId: `order-${counter}`,
  adminActorId,
  vertical: 'pharmacy',
  ...changes,
});

async function newcomer(app: Parameters<typeof makeActor>[0]) {
  const actor = await makeActor(app);
  return { actor, token: await makeToken(app, actor.id, null) };
}

test('an order creates a center that its administrator can enter immediately', async () => {
  const { app, call } = await testApp();
  const { actor, token } = await newcomer(app);
  const body = order(actor.id, { businessNumber: '123-45-67890' });
  const answer = await call('POST', '/provisioning/center-tenant', { token, body });
  expect(answer.status, answer.text).toBe(201);
  const { center, membership, subscription, tenantMapping } = answer.body.data;
  expect(center).toMatchObject({
    name: 'Harbour Clinic',
    centerDomain: body.subdomain,
    tenantType: 'CENTER',
    status: 'ACTIVE',
    vertical: 'pharmacy',
    memberCount: 1,
  });
  expect(center.settings).toMatchObject({ timezone: 'UTC', businessNumber: '123-45-67890' });
  expect(center.settings.roles.map((role: { role: string }) => role.role).sort()).toEqual([
    'ADMIN',
    'CHILD',
    'INSTRUCTOR',
    'PARENT',
  ]);
  expect(membership).toMatchObject({ centerId: center.id, role: 'ADMIN', status: 'ACTIVE' });
  expect(subscription).toMatchObject({
    planId: 'center-growth',
    planName: 'Growth',
    status: 'TRIAL',
    billingCycle: 'MONTHLY',
    seatLimit: 50,
    seatUsed: 1,
  });
  expect(tenantMapping.lmsTenantId).toMatch(/^[0-9a-f-]{36}$/);

  const inside = await makeToken(app, actor.id, center.id);
  const read = await call('GET', '/center/subscription', { token: inside });
  expect(read.body.data).toEqual(subscription);
  const audit = await app.db.forCenter(center.id).auditEntry.findMany({ orderBy: { index: 'asc' } });
  expect(audit).toMatchObject([
    { type: 'center.created', actorId: actor.id, target: String(center.id) },
    { type: 'membership.moved', actorId: actor.id, detail: { from: null, to: 'ACTIVE', role: 'ADMIN' } },
  ]);
  const chains = await app.db.forCenter(center.id).ledgerChain.findMany();
  expect(chains.map((chain) => chain.domain).sort()).toEqual(['audit', 'journal', 'platform', 'proof']);
});

test.each(Object.values(Vertical))(
  'a center for %s starts with the settings and workflows of its vertical',
  async (vertical) => {
    const { app, call } = await testApp();
    const { actor, token } = await newcomer(app);
    const { body } = await call('POST', '/provisioning/center-tenant', {
      token,
      body: order(actor.id, { vertical }),
    });
    const { id, settings } = body.data.center;
    expect(settings.vertical.features.length).toBeGreaterThan(0);
    const workflows = await app.db.forCenter(id).workflow.findMany();
    expect(workflows.length).toBeGreaterThan(0);
    expect(workflows.every((workflow) => workflow.vertical === vertical)).toBe(true);
  },
);

test('an order can choose the time zone, which is part of what a repeated order must match', async () => {
  const { app, call } = await testApp();
  const { actor, token } = await newcomer(app);
  const send = (body: object) => call('POST', '/provisioning/center-tenant', { token, body });
  const body = order(actor.id, { timezone: 'Asia/Seoul' });
  expect((await send(body)).body.data.center.settings.timezone).toBe('Asia/Seoul');
  expect((await send(body)).status).toBe(200);
  expect((await send({ ...body, timezone: 'Asia/Tokyo' })).body.error.code).toBe('DUPLICATE_PROVISIONING');
  // As before centers could be ordered with one.
  const plain = order(actor.id);
  expect((await send(plain)).status).toBe(201);
  expect((await send({ ...plain, timezone: null })).status).toBe(200);
  for (const timezone of ['Mars/Olympus', '+02:00', '', 'UTC\u0000', 7]) {
    const refused = await send(order(actor.id, { timezone }));
    expect([timezone, refused.body.error.code]).toEqual([timezone, 'VALIDATION_ERROR']);
  }
});

describe('who can order', () => {
  test('partners order for anyone and own the center; members of other centers are rejected', async () => {
    const { app, call } = await testApp();
    const admin = await makeActor(app);
    const partner = await makePartner(app, 'PARTNER_OPERATOR');
    const stranger = await makeStage(app);
    const body = order(admin.id);
    const refused = await call('POST', '/provisioning/center-tenant', { token: stranger.token, body });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    const made = await call('POST', '/provisioning/center-tenant', { token: partner.token, body });
    expect(made.status).toBe(201);
    const { id } = made.body.data.center;
    const center = await app.db.acrossTenants.center.findUniqueOrThrow({ where: { id } });
    expect(center.partnerId).toBe(partner.partner.id);
  });

  test('a platform administrator orders for anyone', async () => {
    const { app, call } = await testApp();
    const root = await makeActor(app, { platformAdmin: true });
    const admin = await makeActor(app);
    const token = await makeToken(app, root.id, null);
    expect((await call('POST', '/provisioning/center-tenant', { token, body: order(admin.id) })).status).toBe(
      201,
    );
  });
});

describe('an order is executed once', () => {
  test('the same body returns the existing center, another body is rejected', async () => {
    const { app, call } = await testApp();
    const { actor, token } = await newcomer(app);
    const body = order(actor.id);
    const first = await call('POST', '/provisioning/center-tenant', { token, body });
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    const again = await call('POST', '/provisioning/center-tenant', { token, body: reordered });
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const other = await call('POST', '/provisioning/center-tenant', {
      token,
      body: { ...body, centerName: 'Something else' },
    });
    expect([other.status, other.body.error.code]).toEqual([409, 'DUPLICATE_PROVISIONING']);
    expect(await app.db.acrossTenants.center.count()).toBe(1);
  });

  test("another partner's use of the same number is a separate order", async () => {
    const { app, call } = await testApp();
    const [one, two] = [await makePartner(app), await makePartner(app)];
    const body = order((await makeActor(app)).id);
    expect((await call('POST', '/provisioning/center-tenant', { token: one.token, body })).status).toBe(201);
    const pry = await call('POST', '/provisioning/center-tenant', { token: two.token, body });
    expect([pry.status, pry.body.error.code]).toEqual([409, 'SUBDOMAIN_TAKEN']);
  });

  test('concurrent calls create one center', async () => {
    const { app, call } = await testApp();
    const { actor, token } = await newcomer(app);
    const body = order(actor.id);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/provisioning/center-tenant', { token, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.center.id)).size).toBe(1);
    expect(await app.db.acrossTenants.center.count()).toBe(1);
  });

  test('concurrent orders for one subdomain create one center', async () => {
    const { app, call } = await testApp();
    const { actor, token } = await newcomer(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', '/provisioning/center-tenant', {
          token,
          body: order(actor.id, { subdomain: 'contested' }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.error.code)).toEqual(
      Array(7).fill('SUBDOMAIN_TAKEN'),
    );
    expect(await app.db.acrossTenants.provisioningOrder.count()).toBe(1);
  });
});

test.each([
  ['an unknown plan', { planId: 'center-nowhere' }, 400, 'VALIDATION_ERROR'],
  ['a plan for learning', { planId: 'lms-basic' }, 400, 'VALIDATION_ERROR'],
  ['an unknown vertical', { vertical: 'piracy' }, 400, 'VALIDATION_ERROR'],
  ['an unknown administrator', { adminActorId: randomUUID() }, 400, 'VALIDATION_ERROR'],
  ['an invalid administrator id', { adminActorId: 'me' }, 400, 'VALIDATION_ERROR'],
  ['a subdomain with capital letters', { subdomain: 'Harbour' }, 400, 'INVALID_SUBDOMAIN'],
  ['a subdomain of two letters', { subdomain: 'ab' }, 400, 'INVALID_SUBDOMAIN'],
  ['a subdomain of 31 letters', { subdomain: 'a'.repeat(31) }, 400, 'INVALID_SUBDOMAIN'],
  ['a reserved subdomain', { subdomain: 'api' }, 409, 'SUBDOMAIN_TAKEN'],
  ['a subdomain of digits only', { subdomain: '12345' }, 409, 'SUBDOMAIN_TAKEN'],
])('%s is rejected', async (_, changes, status, code) => {
  const { app, call } = await testApp();
  const root = await makeActor(app, { platformAdmin: true });
  const token = await makeToken(app, root.id, null);
  const body = order(root.id, changes);
  const answer = await call('POST', '/provisioning/center-tenant', { token, body });
  expect([answer.status, answer.body.error.code], answer.text).toEqual([status, code]);
});

// Each table that provisioning writes to fails in turn: nothing of the order may remain.
const steps = [
  'center',
  'membership',
  'subscription',
  'tenant_mapping',
  'ledger_chain',
  'workflow',
  'workflow_version',
  'provisioning_order',
  'ledger_record',
  'audit_entry',
  'tally_delta',
];

test('an order that fails at any step leaves nothing behind and can be repeated', async () => {
  const { app, call, superuser: pool } = await testApp();
  const { actor, token } = await newcomer(app);
  const body = order(actor.id);
  await pool.query(`CREATE FUNCTION fail_step() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'made to fail'; END $$`);
  const counts = async () => {
    const one = async (table: string) =>
      [table, (await pool.query(`SELECT count(*)::int AS rows FROM ${table}`)).rows[0].rows] as const;
    return Object.fromEntries(await Promise.all(steps.map(one)));
  };
  const before = await counts();
  for (const table of steps) {
    await pool.query(`CREATE TRIGGER fail_step BEFORE INSERT ON ${table} EXECUTE FUNCTION fail_step()`);
    const answer = await call('POST', '/provisioning/center-tenant', { token, body });
    await pool.query(`DROP TRIGGER fail_step ON ${table}`);
    expect([table, answer.status, answer.body.error?.code]).toEqual([table, 500, 'PROVISIONING_FAILED']);
    expect(answer.text).not.toContain('made to fail');
    expect(await counts(), table).toEqual(before);
  }
  expect((await call('POST', '/provisioning/center-tenant', { token, body })).status).toBe(201);
});

describe('check-subdomain', () => {
  test('distinguishes free, taken and reserved names, and rejects invalid names', async () => {
    const { app, call } = await testApp();
    const { token, center } = await makeStage(app);
    const check = (subdomain: unknown) =>
      call('POST', '/provisioning/check-subdomain', { token, body: { subdomain } });
    expect((await check('wide-open')).body).toEqual({
      success: true,
      available: true,
      data: { available: true },
    });
    for (const name of [center.centerDomain, 'www', 'admin', 'erp', '2026']) {
      expect((await check(name)).body).toEqual({
        success: true,
        available: false,
        data: { available: false },
      });
    }
    for (const name of ['Up', 'x', 'has space', 'ünicode']) {
      const answer = await check(name);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_SUBDOMAIN']);
    }
  });
});

test('plans are public, at least three for centers and two for learning', async () => {
  const { call } = await testApp();
  const centers = await call('GET', '/provisioning/center-plans');
  const lms = await call('GET', '/provisioning/lms-plans');
  expect(centers.body.data.length).toBeGreaterThanOrEqual(3);
  expect(lms.body.data.length).toBeGreaterThanOrEqual(2);
  expect(Object.keys(centers.body.data[0]).sort()).toEqual([
    'currency',
    'features',
    'id',
    'name',
    'priceMonthly',
    'seatLimit',
    'vertical',
  ]);
});

test('only an ADMIN reads the subscription; without one it is not found', async () => {
  const { app, call } = await testApp();
  const { center, token } = await makeStage(app);
  const instructor = await makeMember(app, center.id, 'INSTRUCTOR');
  const refused = await call('GET', '/center/subscription', { token: instructor.token });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
  const none = await call('GET', '/center/subscription', { token });
  expect([none.status, none.body.error.code]).toEqual([404, 'NOT_FOUND']);
});
