import { describe, expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makePartner, makeStage, makeToken } from '../helpers/world.ts';

const draft = (changes: object = {}) => ({
  name: 'Nördlicher Pier',
  tenantType: 'CENTER',
  vertical: 'education',
  adminEmail: 'Head@Example.test',
  ...changes,
});

describe('creating a center', () => {
  test('the slug is derived from the name, and the administrator is invited and can enter', async () => {
    const { app, call, graphql } = await testApp();
    const { token, partner } = await makePartner(app, 'PARTNER_OPERATOR', 0);
    const { status, body } = await call('POST', '/partner/centers', { token, body: draft() });
    expect(status).toBe(201);
    const { admin, ...center } = body.data;
    expect(center).toMatchObject({
      name: 'Nördlicher Pier',
      centerDomain: 'nordlicher-pier',
      tenantType: 'CENTER',
      status: 'ACTIVE',
      vertical: 'education',
      memberCount: 0,
    });
    expect(admin).toEqual({
      email: 'head@example.test',
      membershipId: expect.any(String),
      status: 'INVITED',
    });

    const head = await makeActor(app, { email: 'head@example.test' });
    const MOVE = `mutation ($id: ID!, $to: MembershipStatus!) {
      moveMembership(input: { membershipId: $id, to: $to }) { status } }`;
    const accepted = await graphql(
      MOVE,
      { id: admin.membershipId, to: 'PENDING' },
      await makeToken(app, head.id, null),
    );
    expect(accepted.errors).toBeUndefined();
    const approved = await graphql(MOVE, { id: admin.membershipId, to: 'ACTIVE' }, token);
    expect(approved.data.moveMembership.status).toBe('ACTIVE');
    const seen = await call('GET', `/partner/centers/${center.id}`, { token });
    expect(seen.body.data.memberCount).toBe(1);
    const audit = await call('GET', '/partner/audit', { token });
    expect(audit.body.data.map((entry: { type: string }) => entry.type)).toContain('center.created');
    expect(await app.db.acrossTenants.center.count({ where: { partnerId: partner.id } })).toBe(1);
  });

  test('equal names get different slugs, even concurrently', async () => {
    const { app, call } = await testApp();
    const { token } = await makePartner(app);
    const made = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', '/partner/centers', { token, body: draft() })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const slugs = made.map(({ body }) => body.data.centerDomain as string);
    expect(new Set(slugs).size).toBe(12);
    expect(slugs.every((slug) => /^nordlicher-pier(-[a-z0-9]+)?$/.test(slug) && slug.length <= 30)).toBe(
      true,
    );
  });

  test.each([
    [{ adminEmail: 'nobody' }, 'INVALID_EMAIL'],
    [{ tenantType: 'PROGRAM' }, 'VALIDATION_ERROR'],
    [{ vertical: 'piracy' }, 'VALIDATION_ERROR'],
    [{ name: ' ' }, 'VALIDATION_ERROR'],
    [{ name: undefined }, 'MISSING_REQUIRED_FIELD'],
  ])('%j is rejected with %s', async (changes, code) => {
    const { app, call } = await testApp();
    const { token } = await makePartner(app);
    const answer = await call('POST', '/partner/centers', { token, body: draft(changes) });
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });
});

describe('listing centers', () => {
  test('pages and searches only the centers of the partner', async () => {
    const { app, call } = await testApp();
    const { token, partner, centers } = await makePartner(app, 'PARTNER_ADMIN', 4);
    await makeCenter(app, { partnerId: partner.id, name: 'Blue 100%_Whale', domain: 'blue-whale' });
    await makePartner(app, 'PARTNER_ADMIN', 2);
    const list = (query: string) => call('GET', `/partner/centers${query}`, { token });
    const first = await list('?page=1&limit=2');
    expect(first.body.data.map(({ id }: { id: number }) => id)).toEqual(
      centers.slice(0, 2).map(({ id }) => id),
    );
    expect(first.body.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3, hasMore: true });
    expect(first.body.meta).toEqual({ page: 1, total: 5 });
    expect((await list('?page=3&limit=2')).body.pagination.hasMore).toBe(false);
    expect((await list('?page=999999999')).body).toMatchObject({ data: [], pagination: { total: 5 } });
    expect((await list('?limit=5000')).body.pagination.limit).toBe(100);
    for (const search of ['WHALE', 'ue-wh', '100%25_w']) {
      const found = await list(`?search=${search}`);
      expect(found.body.data.map(({ centerDomain }: { centerDomain: string }) => centerDomain)).toEqual([
        'blue-whale',
      ]);
      expect(found.body.pagination.total).toBe(1);
    }
    expect((await list('?search=w_ale')).body.data).toEqual([]);
    for (const bad of ['?page=0', '?limit=-1', '?page=two', '?search=%00']) {
      expect((await list(bad)).body.error.code).toBe('VALIDATION_ERROR');
    }
  });

  test('pages forwards and backwards in GraphQL', async () => {
    const { app, graphql } = await testApp();
    const { token, centers } = await makePartner(app, 'PARTNER_ADMIN', 5);
    const WALK = `query ($first: Int, $after: String, $last: Int, $before: String) {
      partnerCenters(first: $first, after: $after, last: $last, before: $before) {
        totalCount edges { node { id } } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }`;
    const ids = ({ data }: { data: { partnerCenters: { edges: { node: { id: number } }[] } } }) =>
      data.partnerCenters.edges.map(({ node }) => node.id);
    const all = centers.map(({ id }) => id);
    const one = await graphql(WALK, { first: 2 }, token);
    expect([ids(one), one.data.partnerCenters.totalCount]).toEqual([all.slice(0, 2), 5]);
    const two = await graphql(WALK, { first: 2, after: one.data.partnerCenters.pageInfo.endCursor }, token);
    expect(ids(two)).toEqual(all.slice(2, 4));
    const back = await graphql(
      WALK,
      { last: 2, before: two.data.partnerCenters.pageInfo.startCursor },
      token,
    );
    expect(ids(back)).toEqual(all.slice(0, 2));
    expect(ids(await graphql(WALK, { last: 2 }, token))).toEqual(all.slice(3));
    const pages = await graphql('{ partnerCenterPage(page: 0, limit: -1) { info { total } } }', {}, token);
    expect(pages.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
    const strange = await graphql(WALK, { first: 2, after: 'what' }, token);
    expect(strange.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  });
});

describe('changing a center', () => {
  test('suspending it stops its members immediately, reactivating restores access; both are audited', async () => {
    const { app, call } = await testApp();
    const { token, centers } = await makePartner(app, 'PARTNER_OPERATOR');
    const { id, name } = centers[0]!;
    const member = await makeMember(app, id);
    const patch = (body: object) => call('PATCH', `/partner/centers/${id}`, { token, body });
    const enter = async () => {
      const { status, body } = await call('GET', `/centers/${id}`, { token: member.token });
      return status === 200 ? 'open' : body.error.code;
    };
    expect(await enter()).toBe('open');
    expect((await patch({ status: 'SUSPENDED' })).body.data.status).toBe('SUSPENDED');
    expect(await enter()).toBe('CENTER_SUSPENDED');
    expect((await patch({ status: 'ACTIVE', name: 'Fresh paint' })).body.data.name).toBe('Fresh paint');
    expect(await enter()).toBe('open');
    expect((await patch({})).status).toBe(200);
    const audit = await app.db.forCenter(id).auditEntry.findMany({
      where: { type: 'center.updated' },
      orderBy: { id: 'asc' },
    });
    expect(audit.map(({ detail }) => detail)).toEqual([
      { from: { status: 'ACTIVE' }, to: { status: 'SUSPENDED' } },
      { from: { name, status: 'SUSPENDED' }, to: { name: 'Fresh paint', status: 'ACTIVE' } },
    ]);
    const bad = await patch({ status: 'INACTIVE' });
    expect([bad.status, bad.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a center that has ended cannot be reactivated', async () => {
    const { app, call } = await testApp();
    const { token, partner } = await makePartner(app);
    const center = await makeCenter(app, { partnerId: partner.id, status: 'INACTIVE' });
    const answer = await call('PATCH', `/partner/centers/${center.id}`, {
      token,
      body: { status: 'ACTIVE' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT']);
  });
});

test("another partner's center is not found, and callers who are not partners are rejected", async () => {
  const { app, call } = await testApp();
  const one = await makePartner(app);
  const two = await makePartner(app);
  const path = `/partner/centers/${one.centers[0]!.id}`;
  for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }]] as const) {
    const answer = await call(method, path, { token: two.token, ...(body && { body }) });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'CENTER_NOT_FOUND']);
  }
  const { token } = await makeStage(app, { partnerId: one.partner.id });
  const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
  for (const outsider of [token, root]) {
    for (const read of [
      '/partner/centers',
      path,
      '/partner/members',
      '/partner/audit',
      '/partner/settings',
    ]) {
      const answer = await call('GET', read, { token: outsider });
      expect([read, answer.status, answer.body.error.code]).toEqual([read, 403, 'INSUFFICIENT_ROLE']);
    }
  }
  expect((await call('GET', '/partner/centers/9999999999', { token: one.token })).body.error.code).toBe(
    'CENTER_NOT_FOUND',
  );
});
