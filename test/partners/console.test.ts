import { describe, expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { inOneDay } from '../helpers/same-day.ts';
import {
  makeActor,
  makeKey,
  makeMember,
  makeMembership,
  makePartner,
  makeSubscription,
  makeToken,
} from '../helpers/world.ts';

test('members of all centers are listed with person and center; the dashboard counts the active ones', async () => {
  await inOneDay();
  const { app, call, graphql } = await testApp();
  const { token, centers } = await makePartner(app, 'PARTNER_OPERATOR', 2);
  const admin = await makeMember(app, centers[0]!.id, 'ADMIN', { name: 'Ada', email: 'ada@example.test' });
  const child = await makeActor(app, { name: 'Cid' });
  await makeMembership(app, child.id, centers[1]!.id, 'CHILD', 'ENDED');
  const other = await makePartner(app);
  await makeMember(app, other.centers[0]!.id);

  const { body } = await call('GET', '/partner/members?limit=1', { token });
  expect(body.pagination).toMatchObject({ total: 2, totalPages: 2, hasMore: true });
  expect(body.data).toEqual([
    {
      id: admin.membership.id,
      actorId: admin.actor.id,
      name: 'Ada',
      email: 'ada@example.test',
      role: 'ADMIN',
      status: 'ACTIVE',
      centerId: centers[0]!.id,
      centerName: centers[0]!.name,
      centerDomain: centers[0]!.centerDomain,
      invitedAt: expect.any(String),
      endedAt: null,
    },
  ]);
  const walked = await graphql(
    '{ partnerMembers(last: 1) { totalCount edges { node { name status } } } }',
    {},
    token,
  );
  expect(walked.data.partnerMembers).toEqual({
    totalCount: 2,
    edges: [{ node: { name: 'Cid', status: 'ENDED' } }],
  });
  const dashboard = await call('GET', '/partner/stats/dashboard', { token });
  expect(dashboard.body.data).toMatchObject({ totalCenters: 2, totalMembers: 1, activeToday: 1 });
});

test('the dashboard follows every change of memberships, sessions and plans', async () => {
  await inOneDay();
  const { app, call, superuser } = await testApp();
  const { token, centers } = await makePartner(app, 'PARTNER_ADMIN', 2);
  const [one, two] = centers;
  const dashboard = async () => (await call('GET', '/partner/stats/dashboard', { token })).body.data;
  const { actor, membership } = await makeMember(app, one!.id);
  await makeToken(app, actor.id, one!.id);
  await makeToken(app, actor.id, two!.id);
  expect(await dashboard()).toMatchObject({ totalMembers: 1, activeToday: 1 });
  const db = app.db.acrossTenants;
  await db.membership.update({ where: { id: membership.id }, data: { status: 'SUSPENDED' } });
  expect((await dashboard()).totalMembers).toBe(0);
  await db.membership.updateMany({ data: { status: 'ACTIVE' } });
  expect((await dashboard()).totalMembers).toBe(1);
  await superuser.query('DELETE FROM membership WHERE id = $1', [membership.id]);
  expect((await dashboard()).totalMembers).toBe(0);

  await makeSubscription(app, one!.id, { status: 'ACTIVE', planId: 'center-growth' });
  await makeSubscription(app, two!.id, { status: 'TRIAL', planId: 'center-starter' });
  expect((await dashboard()).revenue.recurringMonthly).toBe(9_900);
  await db.subscription.update({ where: { centerId: one!.id }, data: { planId: 'center-care' } });
  await db.subscription.update({ where: { centerId: two!.id }, data: { status: 'ACTIVE' } });
  expect((await dashboard()).revenue.recurringMonthly).toBe(14_900 + 2_900);
  await db.subscription.updateMany({ data: { status: 'PAST_DUE' } });
  expect((await dashboard()).revenue.recurringMonthly).toBe(0);
});

describe('audit', () => {
  async function stage() {
    await inOneDay();
    const running = await testApp();
    const { token, centers } = await makePartner(running.app, 'PARTNER_ADMIN');
    const rename = (name: string) =>
      running.call('PATCH', `/partner/centers/${centers[0]!.id}`, { token, body: { name } });
    for (const name of ['One', 'Two', 'Three']) await rename(name);
    return { ...running, token, center: centers[0]! };
  }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  test('shows who did what in which center, newest first, filtered by whole days', async () => {
    const { call, token, center } = await stage();
    const { body } = await call('GET', '/partner/audit?limit=2', { token });
    expect(body.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2, hasMore: true });
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      type: 'center.updated',
      actorId: expect.any(String),
      actorEmail: expect.any(String),
      centerId: center.id,
      target: String(center.id),
      detail: { from: { name: 'Two' }, to: { name: 'Three' } },
      ip: expect.any(String),
      occurredAt: expect.any(String),
    });
    const total = async (query: string) =>
      (await call('GET', `/partner/audit?${query}`, { token })).body.pagination.total;
    expect(await total(`startDate=${day(-1)}&endDate=${day(1)}`)).toBe(3);
    expect(await total(`endDate=${day(-1)}`)).toBe(0);
    expect(await total(`startDate=${day(1)}`)).toBe(0);
    for (const bad of [
      `startDate=${day(1)}&endDate=${day(0)}`,
      'startDate=yesterday',
      'endDate=2026-02-30',
    ]) {
      const answer = await call('GET', `/partner/audit?${bad}`, { token });
      expect([bad, answer.status, answer.body.error?.code]).toEqual([bad, 400, 'VALIDATION_ERROR']);
    }
  });

  test('can be paged without gaps', async () => {
    const { graphql, token } = await stage();
    const WALK = `query ($after: String) { partnerAudit(first: 1, after: $after) {
      totalCount edges { node { id } } pageInfo { endCursor hasNextPage } } }`;
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { data } = await graphql(WALK, { after }, token);
      expect(data.partnerAudit.totalCount).toBe(3);
      seen.push(data.partnerAudit.edges[0].node.id);
      ({ endCursor: after, hasNextPage: more } = data.partnerAudit.pageInfo);
    }
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect(seen).toHaveLength(3);
  });

  test('includes records sealed in its centers', async () => {
    const { app, call, token, center } = await stage();
    const key = await makeKey(app, center.id);
    const recorded = await call('POST', '/v1/decision-events', {
      token: key,
      body: {
        type: 'agent_execution',
        actor: { id: 'bot', type: 'ai_agent' },
        action: { type: 'note.write' },
      },
    });
    const approved = await call('POST', `/v1/decision-events/${recorded.body.data.id}/approvals`, {
      token: key,
      body: { approver: { id: 'alex', type: 'human' }, result: 'approved' },
    });
    expect(approved.status).toBe(200);
    const { body } = await call('GET', '/partner/audit?limit=1', { token });
    expect(body.data).toMatchObject([{ type: 'decision.sealed', centerId: center.id }]);
  });

  test("shows nothing of another partner's centers", async () => {
    const { app, call } = await stage();
    const other = await makePartner(app);
    expect((await call('GET', '/partner/audit', { token: other.token })).body.data).toEqual([]);
  });
});

describe('settings', () => {
  test('are merged key by key, null removes a key, and REST and GraphQL return the whole', async () => {
    const { app, call, graphql } = await testApp();
    const { token, partner } = await makePartner(app);
    const patch = async (body: object) =>
      (await call('PATCH', '/partner/settings', { token, body })).body.data;
    await patch({ branding: { color: 'teal', logo: 'x' }, theme: 'dark' });
    expect(await patch({ branding: { logo: null, font: 'serif' }, theme: null, limit: 3 })).toEqual({
      branding: { color: 'teal', font: 'serif' },
      limit: 3,
    });
    expect((await call('GET', '/partner/settings', { token })).body.data).toEqual({
      branding: { color: 'teal', font: 'serif' },
      limit: 3,
    });
    expect((await graphql('{ partnerSettings }', {}, token)).data.partnerSettings.limit).toBe(3);
    const audit = await app.db.acrossTenants.auditEntry.findMany({ where: { partnerId: partner.id } });
    expect(audit.map(({ type }) => type)).toEqual(['partner.settings_changed', 'partner.settings_changed']);
  });

  test('apply concurrent changes', async () => {
    const { app, call } = await testApp();
    const { token } = await makePartner(app);
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(keys.map((key) => call('PATCH', '/partner/settings', { token, body: { [key]: 1 } })));
    const { data } = (await call('GET', '/partner/settings', { token })).body;
    expect(Object.keys(data).sort()).toEqual(keys);
  });

  test('can be read but not changed by operators; values that cannot be stored are rejected', async () => {
    const { app, call } = await testApp();
    const operator = await makePartner(app, 'PARTNER_OPERATOR');
    expect((await call('GET', '/partner/settings', { token: operator.token })).status).toBe(200);
    const refused = await call('PATCH', '/partner/settings', { token: operator.token, body: { a: 1 } });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
    const { token } = await makePartner(app);
    for (const body of [{ big: 'x'.repeat(70_000) }, { zero: 'a\0b' }, ['a list']]) {
      const answer = await call('PATCH', '/partner/settings', { token, body });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
