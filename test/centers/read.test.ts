import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makeMembership, makeToken } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const codeOf = async (path: string, token: string) => {
  const { status, body } = await running.call('GET', path, { token });
  return [status, body.error?.code];
};

describe('the list of centers', () => {
  test('contains the open centers that the person or a relative is a member of', async () => {
    const { app, call } = running;
    const [first, second, suspended, ended, foreign] = await Promise.all([
      makeCenter(app, { name: 'Zebra' }),
      makeCenter(app, { name: 'Antelope' }),
      makeCenter(app, { status: 'SUSPENDED' }),
      makeCenter(app, { status: 'INACTIVE' }),
      makeCenter(app),
    ]);
    const me = await makeActor(app, { phone: '+4930111' });
    const sibling = await makeActor(app, { phone: '+4930111' });
    await makeMembership(app, me.id, first.id);
    await makeMembership(app, sibling.id, second.id, 'PARENT');
    for (const closed of [suspended, ended]) await makeMembership(app, me.id, closed.id);
    await makeMembership(app, me.id, foreign.id, 'ADMIN', 'PENDING');

    const { status, body } = await call('GET', '/centers', { token: await makeToken(app, me.id, first.id) });
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({ id: second.id, name: 'Antelope', tenantType: 'CENTER', status: 'ACTIVE' }),
      expect.objectContaining({ id: first.id, name: 'Zebra' }),
    ]);
  });

  test('is empty without a membership', async () => {
    const { app, call } = running;
    const { id } = await makeActor(app);
    const { body } = await call('GET', '/centers', { token: await makeToken(app, id, null) });
    expect(body).toEqual({ success: true, data: [] });
  });
});

describe('one center', () => {
  test('is found by its id or by its slug', async () => {
    const { app, call, graphql } = running;
    const center = await makeCenter(app, { settings: { color: 'red' } });
    const { token, actor } = await makeMember(app, center.id, 'ADMIN');
    await makeMember(app, center.id, 'PARENT');
    const gone = await makeActor(app);
    await makeMembership(app, gone.id, center.id, 'PARENT', 'ENDED');

    const byId = await call('GET', `/centers/${center.id}`, { token });
    expect(byId.body).toEqual({
      success: true,
      data: {
        id: center.id,
        name: center.name,
        centerDomain: center.centerDomain,
        tenantType: 'CENTER',
        status: 'ACTIVE',
        vertical: 'rehabilitation',
        memberCount: 2,
        settings: { timezone: 'Europe/Berlin', country: 'DE', region: 'BE', color: 'red' },
        signIn: { password: true, oidc: null },
      },
    });
    const bySlug = await call('GET', `/centers/${center.centerDomain.toUpperCase()}`, { token });
    expect(bySlug.body).toEqual(byId.body);

    const elsewhere = await makeToken(app, actor.id, null);
    const { data } = await graphql(
      `query ($id: ID, $domain: String) { byId: center(id: $id) { name } bySlug: center(domain: $domain) { name } }`,
      { id: center.id, domain: center.centerDomain },
      elsewhere,
    );
    expect(data).toEqual({ byId: { name: center.name }, bySlug: { name: center.name } });
    for (const args of ['', `(id: ${center.id}, domain: "${center.centerDomain}")`]) {
      const { errors } = await graphql(`{ center${args} { id } }`, {}, token);
      expect(errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
    }
  });

  test('shows PARENT and CHILD only some of the settings', async () => {
    const { app, call } = running;
    const center = await makeCenter(app, { settings: { color: 'red' } });
    for (const [role, keys] of [
      ['INSTRUCTOR', ['color', 'country', 'region', 'timezone']],
      ['PARENT', ['country', 'region', 'timezone']],
      ['CHILD', ['country', 'region', 'timezone']],
    ] as const) {
      const { token } = await makeMember(app, center.id, role);
      const { body } = await call('GET', `/centers/${center.id}`, { token });
      expect(Object.keys(body.data.settings).sort(), role).toEqual(keys);
    }
  });

  test('returns the reason when access is denied', async () => {
    const { app } = running;
    const open = await makeCenter(app);
    const suspended = await makeCenter(app, { status: 'SUSPENDED' });
    const inactive = await makeCenter(app, { status: 'INACTIVE' });
    const codes: Record<string, unknown> = {};
    for (const status of ['INVITED', 'PENDING', 'SUSPENDED', 'REJECTED', 'ENDED'] as const) {
      const { id } = await makeActor(app);
      await makeMembership(app, id, open.id, 'ADMIN', status);
      const token = await makeToken(app, id, null);
      codes[status] = await codeOf(`/centers/${open.id}`, token);
      expect(await codeOf(`/centers/${open.centerDomain}`, token)).toEqual(codes[status]);
    }
    expect(codes).toEqual({
      INVITED: [403, 'NO_MEMBERSHIP'],
      PENDING: [403, 'NO_MEMBERSHIP'],
      SUSPENDED: [403, 'MEMBERSHIP_SUSPENDED'],
      REJECTED: [403, 'NO_MEMBERSHIP'],
      ENDED: [403, 'MEMBERSHIP_ENDED'],
    });

    const member = await makeActor(app);
    for (const center of [suspended, inactive]) await makeMembership(app, member.id, center.id);
    const token = await makeToken(app, member.id, null);
    expect(await codeOf(`/centers/${open.id}`, token)).toEqual([403, 'NO_MEMBERSHIP']);
    expect(await codeOf(`/centers/${suspended.id}`, token)).toEqual([403, 'CENTER_SUSPENDED']);
    expect(await codeOf(`/centers/${inactive.id}`, token)).toEqual([404, 'CENTER_NOT_FOUND']);
    const stranger = await makeToken(app, (await makeActor(app)).id, null);
    expect(await codeOf(`/centers/${suspended.centerDomain}`, stranger)).toEqual([403, 'NO_MEMBERSHIP']);
    for (const none of [
      'no-such-center',
      '0',
      '999999',
      '99999999999999999999',
      'a%20b',
      '-1',
      '%F0%9F%92%A9',
    ]) {
      expect(await codeOf(`/centers/${none}`, token), none).toEqual([404, 'CENTER_NOT_FOUND']);
    }
    expect(await codeOf('/centers/%00', token)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('public information', () => {
  test('is name, description, logo, vertical and the ways to sign in, only while the center is active', async () => {
    const { app, call } = running;
    const center = await makeCenter(app, { vertical: 'pharmacy' });
    await app.db.acrossTenants.center.update({
      where: { id: center.id },
      data: { description: 'Open late', logo: 'https://cdn.example.test/logo.svg' },
    });
    const { body } = await call('GET', `/centers/${center.centerDomain}/info`);
    expect(body.data).toEqual({
      name: center.name,
      description: 'Open late',
      logo: 'https://cdn.example.test/logo.svg',
      vertical: 'pharmacy',
      signIn: { password: true, oidc: null },
    });
    const suspended = await makeCenter(app, { status: 'SUSPENDED' });
    const inactive = await makeCenter(app, { status: 'INACTIVE' });
    const codes = await Promise.all(
      [suspended.centerDomain, inactive.centerDomain, 'nowhere', '%00'].map(async (domain) => {
        const answer = await call('GET', `/centers/${domain}/info`);
        return [answer.status, answer.body.error.code];
      }),
    );
    expect(codes).toEqual([
      [403, 'CENTER_SUSPENDED'],
      [404, 'CENTER_NOT_FOUND'],
      [404, 'CENTER_NOT_FOUND'],
      [400, 'VALIDATION_ERROR'],
    ]);
  });
});

describe('instructors', () => {
  test('are listed for members, active ones only', async () => {
    const { app, call } = running;
    const center = await makeCenter(app);
    const { token } = await makeMember(app, center.id, 'CHILD');
    const ann = await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Ann' });
    await app.db.acrossTenants.membership.update({
      where: { id: ann.membership.id },
      data: { specialties: ['gait', 'balance'] },
    });
    for (const status of ['INVITED', 'PENDING', 'SUSPENDED', 'ENDED', 'REJECTED'] as const) {
      await makeMembership(app, (await makeActor(app)).id, center.id, 'INSTRUCTOR', status);
    }
    const path = `/centers/${center.centerDomain}/instructors`;
    expect((await call('GET', path, { token })).body).toEqual({
      success: true,
      data: [{ id: ann.actor.id, name: 'Ann', role: 'INSTRUCTOR', specialties: ['gait', 'balance'] }],
    });
    const stranger = await makeMember(app, (await makeCenter(app)).id);
    expect(await codeOf(path, stranger.token)).toEqual([403, 'NO_MEMBERSHIP']);
    expect((await call('GET', path)).status).toBe(401);
  });
});
