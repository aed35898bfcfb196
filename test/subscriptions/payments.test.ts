import { describe, expect, test } from 'vitest';
import { expireTrials } from '../../src/domain/subscriptions/manage.ts';
import { testApp } from '../helpers/app.ts';
import { inOneDay } from '../helpers/same-day.ts';
import { makeActor, makePartner, makeStage, makeSubscription, makeToken } from '../helpers/world.ts';

const PAY = /* GraphQL */ `
  mutation ($input: RecordPaymentInput!) {
    recordPayment(input: $input) {
      payment { id status amount currency }
      subscription { status currentPeriodStart currentPeriodEnd }
    }
  }`;
const FAIL = /* GraphQL */ `
  mutation ($input: RecordPaymentFailureInput!) {
    recordPaymentFailure(input: $input) { payment { status failureReason } subscription { status } }
  }`;
const MOVE = /* GraphQL */ `
  mutation ($input: MoveSubscriptionInput!) { moveSubscription(input: $input) { status } }`;

async function stage(options: Parameters<typeof makeSubscription>[2] = {}) {
  const running = await testApp();
  const partner = await makePartner(running.app);
  const center = partner.centers[0]!;
  await makeSubscription(running.app, center.id, options);
  const events = () => running.app.db.forCenter(center.id).platformEvent.findMany({ orderBy: { id: 'asc' } });
  return { ...running, partner, center, token: partner.token, events };
}

test('a payment ends the trial, extends the remaining period, and publishes an event', async () => {
  // The month's revenue is counted too.
  await inOneDay();
  const periodEnd = new Date(Date.now() + 5 * 86_400_000);
  const { graphql, center, token, events, call } = await stage({ periodEnd });
  const input = { centerId: center.id, reference: 'ch_1', amount: 2900 };
  const { data, errors } = await graphql(PAY, { input }, token);
  expect(errors).toBeUndefined();
  expect(data.recordPayment.payment).toMatchObject({ status: 'COMPLETED', amount: 2900, currency: 'EUR' });
  expect(data.recordPayment.subscription.status).toBe('ACTIVE');
  const paidUntil = new Date(data.recordPayment.subscription.currentPeriodEnd);
  expect(paidUntil.getTime()).toBeGreaterThan(periodEnd.getTime() + 27 * 86_400_000);
  expect(await events()).toMatchObject([
    { type: 'payment.completed', data: { reference: 'ch_1', amount: 2900, currency: 'EUR' } },
  ]);
  const dashboard = await call('GET', '/partner/stats/dashboard', { token });
  expect(dashboard.body.data.revenue).toEqual({
    currency: 'EUR',
    monthToDate: 2900,
    lastMonth: 0,
    recurringMonthly: 2900,
  });
});

test('a payment reference counts once, even if sent concurrently', async () => {
  const { graphql, center, token, events, app } = await stage();
  const input = { centerId: center.id, reference: 'ch_1', amount: 2900 };
  const answers = await Promise.all(Array.from({ length: 6 }, () => graphql(PAY, { input }, token)));
  expect(new Set(answers.map(({ data }) => data.recordPayment.payment.id)).size).toBe(1);
  expect(new Set(answers.map(({ data }) => data.recordPayment.subscription.currentPeriodEnd)).size).toBe(1);
  expect(await events()).toHaveLength(1);
  expect(await app.db.acrossTenants.payment.count()).toBe(1);
  const other = await graphql(PAY, { input: { ...input, amount: 1 } }, token);
  expect(other.errors![0]!.extensions.code).toBe('CONFLICT');
});

test('a final failure makes an active subscription past due, and a payment reactivates it', async () => {
  const { graphql, center, token, events } = await stage({ status: 'ACTIVE' });
  const failed = await graphql(
    FAIL,
    { input: { centerId: center.id, reference: 'ch_2', amount: 2900, reason: 'card declined' } },
    token,
  );
  expect(failed.data.recordPaymentFailure).toEqual({
    payment: { status: 'FAILED', failureReason: 'card declined' },
    subscription: { status: 'PAST_DUE' },
  });
  const paid = await graphql(PAY, { input: { centerId: center.id, reference: 'ch_3', amount: 2900 } }, token);
  expect(paid.data.recordPayment.subscription.status).toBe('ACTIVE');
  expect((await events()).map(({ type }) => type)).toEqual(['payment.failed', 'payment.completed']);
});

describe('who can record payments', () => {
  test('only the partner of the center and platform admins', async () => {
    const { graphql, app, center } = await stage();
    const input = { centerId: center.id, reference: 'ch_1', amount: 2900 };
    const stranger = await makePartner(app);
    const admin = await makeStage(app, {});
    const root = await makeActor(app, { platformAdmin: true });
    const code = async (token: string) => (await graphql(PAY, { input }, token)).errors?.[0]?.extensions.code;
    expect(await code(stranger.token)).toBe('CENTER_NOT_FOUND');
    expect(await code(admin.token)).toBe('INSUFFICIENT_ROLE');
    expect(await code(await makeToken(app, root.id, null))).toBeUndefined();
  });

  test('another currency, a future payment and a canceled subscription are rejected', async () => {
    const { graphql, center, token } = await stage();
    const input = { centerId: center.id, reference: 'ch_1', amount: 2900 };
    const code = async (changes: object) =>
      (await graphql(PAY, { input: { ...input, ...changes } }, token)).errors?.[0]?.extensions.code;
    expect(await code({ currency: 'USD' })).toBe('VALIDATION_ERROR');
    expect(await code({ occurredAt: '2999-01-01T00:00:00Z' })).toBe('VALIDATION_ERROR');
    expect(await code({ amount: 0 })).toBe('VALIDATION_ERROR');
    await graphql(MOVE, { input: { centerId: center.id, action: 'CANCEL' } }, token);
    expect(await code({})).toBe('CONFLICT');
    const resumed = await graphql(MOVE, { input: { centerId: center.id, action: 'RESUME' } }, token);
    expect(resumed.data.moveSubscription.status).toBe('PAST_DUE');
    expect(await code({})).toBeUndefined();
  });
});

test('expired trials become past due once, even with several workers; others are unchanged', async () => {
  const { app } = await testApp();
  const partner = await makePartner(app, 'PARTNER_ADMIN', 3);
  const [lapsed, running, paying] = partner.centers;
  const past = new Date(Date.now() - 1_000);
  await makeSubscription(app, lapsed!.id, { periodEnd: past });
  await makeSubscription(app, running!.id);
  await makeSubscription(app, paying!.id, { status: 'ACTIVE', periodEnd: past });
  const moved = await Promise.all([1, 2, 3].map(() => expireTrials(app, new Date())));
  expect(moved.reduce((sum, count) => sum + count, 0)).toBe(1);
  const status = async (centerId: number) =>
    (await app.db.acrossTenants.subscription.findUniqueOrThrow({ where: { centerId } })).status;
  expect(await Promise.all(partner.centers.map(({ id }) => status(id)))).toEqual([
    'PAST_DUE',
    'TRIAL',
    'ACTIVE',
  ]);
});

test('a plan with too few seats is rejected; another plan sets its seat limit', async () => {
  const { graphql, app, center, token } = await stage({ planId: 'center-growth', seatLimit: 50 });
  const members = Array.from({ length: 11 }, async () => {
    const actor = await makeActor(app);
    await app.db.acrossTenants.membership.create({
      data: {
        id: `mbr_${actor.id}`,
        actorId: actor.id,
        centerId: center.id,
        role: 'CHILD',
        status: 'ACTIVE',
      },
    });
  });
  await Promise.all(members);
  const change = (planId: string) =>
    graphql(
      `mutation ($input: ChangePlanInput!) { changePlan(input: $input) { planId seatLimit seatUsed } }`,
      { input: { centerId: center.id, planId } },
      token,
    );
  expect((await change('center-starter')).errors![0]!.extensions.code).toBe('CONFLICT');
  expect((await change('center-care')).data.changePlan).toEqual({
    planId: 'center-care',
    seatLimit: 100,
    seatUsed: 11,
  });
});
